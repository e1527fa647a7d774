package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.hex;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CleanupTest {
  private static final String CLEANUP = "sp_cdc_cleanup_change_table";
  private static final String INSTANCE = "@capture_instance";
  private static final String MARK = "@low_water_mark";
  private final CdcFixture fixture = new CdcFixture();
  private byte[] first;
  private byte[] second;
  private byte[] third;

  @BeforeEach
  void threeCommitsADayApart() {
    fixture.enable("orders");
    first = commit(1);
    second = commit(2);
    third = commit(3);
  }

  private byte[] commit(int id) {
    fixture.clock.advance(Duration.ofDays(1));
    fixture.commit(inserted(ORDERS, 1, id, "x"));
    fixture.cdc.capture();
    return fixture.cdc.functions().maxLsn();
  }

  private byte[] min(String instance) {
    return fixture.cdc.functions().minLsn(fixture.admin(), instance);
  }

  private List<List<Object>> ids() {
    return fixture.changes("dbo_orders", "id");
  }

  private List<List<Object>> map() {
    return fixture.query("SELECT start_lsn FROM cdc.lsn_time_mapping ORDER BY start_lsn");
  }

  @Test
  void watermarkMovesFirstThenRowsGoThenTheMap() {
    CleanupRun run = fixture.cdc.cleanup(Duration.ofHours(30));
    run.moveWatermarks();
    assertThat(min("dbo_orders")).isEqualTo(second);
    assertThat(ids()).hasSize(3);
    run.deleteChanges();
    assertThat(ids()).containsExactly(List.of(2), List.of(3));
    assertThat(map()).hasSize(4);
    run.trimMap();
    assertThat(map()).containsExactly(List.of(hex(second)), List.of(hex(third)));
  }

  @Test
  void retentionCountsFromTheNewestEntryNotFromTheClock() {
    fixture.clock.advance(Duration.ofDays(365));
    fixture.cdc.cleanup(Duration.ofDays(10)).all();
    assertThat(ids()).hasSize(3);
    assertThat(map()).hasSize(4);
  }

  @Test
  void defaultRetentionIsThreeDays() {
    fixture.cdc.cleanup().all();
    assertThat(ids()).hasSize(3);
    commit(4);
    fixture.cdc.cleanup().all();
    assertThat(min("dbo_orders")).isEqualTo(first);
    assertThat(map()).hasSize(4);
    commit(5);
    fixture.cdc.cleanup().all();
    assertThat(min("dbo_orders")).isEqualTo(second);
  }

  @Test
  void changedRetentionHoldsFromTheNextRun() throws SqlServerError {
    fixture.exec("sp_cdc_change_job", "@job_type", "cleanup", "@retention", 60);
    fixture.cdc.cleanup().all();
    assertThat(min("dbo_orders")).isEqualTo(third);
  }

  @Test
  void youngerInstanceKeepsItsMarkAndTheLowestMarkKeepsTheMap() {
    fixture.enable("orders", INSTANCE, "two");
    byte[] start = min("two");
    fixture.cdc.cleanup(Duration.ofHours(30)).all();
    assertThat(min("dbo_orders")).isEqualTo(second);
    assertThat(min("two")).isEqualTo(start);
    assertThat(map()).first().isEqualTo(List.of(hex(second)));
  }

  @Test
  void instanceThatCaptureHasNotSeenKeepsNoStartLsn() {
    fixture.enableUnseen("orders", INSTANCE, "two");
    fixture.cdc.cleanup(Duration.ofHours(30)).all();
    assertThat(
            fixture.query("SELECT start_lsn FROM cdc.change_tables WHERE capture_instance = 'two'"))
        .containsExactly(Collections.singletonList(null));
  }

  @Test
  void procedureMovesOneInstancesMarkAndDeletesBelowIt() throws SqlServerError {
    fixture.enable("orders", INSTANCE, "two");
    byte[] other = min("two");
    fixture.exec(CLEANUP, INSTANCE, "dbo_orders", MARK, third, "@threshold", 1);
    assertThat(min("dbo_orders")).isEqualTo(third);
    assertThat(ids()).containsExactly(List.of(3));
    assertThat(min("two")).isEqualTo(other);
    assertThat(map()).first().isEqualTo(List.of(hex(third)));
  }

  @Test
  void markIsLoweredToTheSmallestLsnOfTheSameTime() throws SqlServerError {
    fixture.commit(inserted(ORDERS, 1, 4, "x"));
    fixture.cdc.capture();
    byte[] fourth = fixture.cdc.functions().maxLsn();
    fixture.exec(CLEANUP, INSTANCE, "dbo_orders", MARK, fourth);
    assertThat(min("dbo_orders")).isEqualTo(third);
    assertThat(ids()).containsExactly(List.of(3), List.of(4));
  }

  @Test
  void withoutAMarkTheOldOneStaysAndRowsBelowItGo() throws SqlServerError {
    fixture.cdc.cleanup(Duration.ofHours(30)).moveWatermarks();
    fixture.exec(CLEANUP, INSTANCE, "dbo_orders", MARK, null);
    assertThat(min("dbo_orders")).isEqualTo(second);
    assertThat(ids()).containsExactly(List.of(2), List.of(3));
  }

  @Test
  void markMustBeAnEntryOfTheMap() {
    SqlServerError error =
        catchThrowableOfType(
            SqlServerError.class,
            () -> fixture.exec(CLEANUP, INSTANCE, "dbo_orders", MARK, new byte[10]));
    assertThat(error.number()).isEqualTo(22964);
    assertThat(error)
        .hasMessageStartingWith("LSN 0x00000000000000000000, specified as the new low end point");
    assertThat(ids()).hasSize(3);
  }

  @Test
  void unknownInstanceIsAnError() {
    SqlServerError error =
        catchThrowableOfType(
            SqlServerError.class, () -> fixture.exec(CLEANUP, INSTANCE, "nix", MARK, third));
    assertThat(error.number()).isEqualTo(22920);
    assertThat(error)
        .hasMessage("The named capture instance nix does not exist for database shop.");
  }
}

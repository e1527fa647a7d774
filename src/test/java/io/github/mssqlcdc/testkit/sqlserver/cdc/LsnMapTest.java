package io.github.mssqlcdc.testkit.sqlserver.cdc;

import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.ORDERS;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.hex;
import static io.github.mssqlcdc.testkit.sqlserver.cdc.CdcFixture.inserted;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LsnMapTest {
  private final CdcFixture fixture = new CdcFixture();

  private List<List<Object>> map(String columns) {
    return fixture.query("SELECT " + columns + " FROM cdc.lsn_time_mapping ORDER BY start_lsn");
  }

  private byte[] commitAndCapture(int id) {
    fixture.commit(inserted(ORDERS, 1, id, "x"));
    fixture.cdc.capture();
    return fixture.cdc.functions().maxLsn();
  }

  @Test
  void maxLsnIsNullUntilCaptureHasRun() {
    fixture.enableUnseen("orders");
    assertThat(fixture.cdc.functions().maxLsn()).isNull();
    fixture.cdc.capture();
    assertThat(fixture.cdc.functions().maxLsn()).isNotNull();
  }

  @Test
  void eachCommitOnATrackedTableHasAnEntryWithItsTransaction() {
    fixture.enable("orders");
    fixture.commit(inserted(ORDERS, 1, 1, "a"));
    fixture.commit(inserted(ORDERS, 1, 2, "a"));
    fixture.cdc.capture();
    assertThat(map("start_lsn").subList(1, 3))
        .isEqualTo(fixture.changes("dbo_orders", "__$start_lsn"));
    assertThat(map("tran_id").subList(1, 3))
        .containsExactly(List.of("000000000065"), List.of("000000000066"));
    assertThat(
            fixture.query(
                "SELECT COUNT(*) FROM cdc.lsn_time_mapping WHERE tran_begin_lsn < start_lsn"))
        .containsExactly(List.of(3L));
  }

  @Test
  void timesAreDatetimesOfTheServersLocalClock() {
    fixture.enable("orders");
    byte[] lsn = commitAndCapture(1);
    assertThat(fixture.cdc.functions().mapLsnToTime(lsn))
        .isEqualTo(LocalDateTime.parse("2026-03-01T10:00:00"));
    fixture.clock.advance(Duration.ofMillis(4));
    assertThat(fixture.cdc.functions().mapLsnToTime(commitAndCapture(2)))
        .isEqualTo(LocalDateTime.parse("2026-03-01T10:00:00.007"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "2, 3",
    "4, 3",
    "5, 7",
    "6, 7",
    "8, 7",
    "9, 10",
    "998, 997",
    "999, 1000"
  })
  void datetimeIsRoundedToAThreeHundredthOfASecond(long millis, long rounded) {
    LocalDateTime start = LocalDateTime.parse("2026-12-31T23:59:59");
    assertThat(ColumnValues.datetime(start.plus(Duration.ofMillis(millis))))
        .isEqualTo(start.plus(Duration.ofMillis(rounded)));
  }

  @Test
  void creationOfAnInstanceHasAnEntryAtItsStartLsnWithItsCreateDate() {
    fixture.enableUnseen("orders");
    fixture.clock.advance(Duration.ofMinutes(3));
    fixture.cdc.capture();
    assertThat(fixture.query("SELECT start_lsn, create_date FROM cdc.change_tables"))
        .isEqualTo(map("start_lsn, tran_end_time"));
  }

  @Test
  void idleDatabaseGetsAnEntryWithoutTransactionAfterFiveMinutes() {
    fixture.enable("orders");
    byte[] last = commitAndCapture(1);
    fixture.clock.advance(Duration.ofSeconds(299));
    fixture.cdc.capture();
    assertThat(fixture.cdc.functions().maxLsn()).isEqualTo(last);
    fixture.clock.advance(Duration.ofSeconds(1));
    fixture.cdc.capture();
    fixture.cdc.capture();
    assertThat(hex(fixture.cdc.functions().maxLsn())).isGreaterThan(hex(last));
    assertThat(map("tran_id, tran_begin_lsn, tran_end_time - tran_begin_time").get(2).subList(0, 2))
        .containsExactly("00", "00000000000000000000");
    assertThat(map("start_lsn")).hasSize(3);
    assertThat(hex(commitAndCapture(2))).isGreaterThan((String) map("start_lsn").get(2).get(0));
  }

  @Test
  void noIdleEntryIsWrittenWhileTheClockIsBehindTheNewestEntry() {
    fixture.enable("orders");
    byte[] last = commitAndCapture(1);
    fixture.clock.advance(Duration.ofHours(-1));
    fixture.cdc.capture();
    fixture.clock.advance(Duration.ofMinutes(50));
    fixture.cdc.capture();
    assertThat(fixture.cdc.functions().maxLsn()).isEqualTo(last);
  }

  @Test
  void withoutAnInstanceThereIsNoCaptureJobAndNoEntry() {
    fixture.clock.advance(Duration.ofHours(1));
    fixture.cdc.capture();
    assertThat(map("start_lsn")).isEmpty();
  }

  @Test
  void timeIsMappedToTheNearestEntryTiesToTheFarEnd() {
    fixture.enable("orders");
    fixture.clock.advance(Duration.ofSeconds(10));
    byte[] first = commitAndCapture(1);
    byte[] second = commitAndCapture(2);
    LocalDateTime tied = LocalDateTime.parse("2026-03-01T10:00:10");
    CdcFunctions functions = fixture.cdc.functions();
    assertThat(functions.mapTimeToLsn("smallest greater than or equal", tied)).isEqualTo(first);
    assertThat(functions.mapTimeToLsn("largest less than or equal", tied)).isEqualTo(second);
    assertThat(functions.mapTimeToLsn("smallest greater than", tied.minusSeconds(1)))
        .isEqualTo(first);
    assertThat(functions.mapTimeToLsn("largest less than", tied.plusSeconds(1))).isEqualTo(second);
    assertThat(functions.mapTimeToLsn("smallest greater than", tied)).isNull();
    assertThat(functions.mapTimeToLsn("no such operator", tied)).isNull();
  }

  @Test
  void unknownLsnMapsToNoTime() {
    fixture.enable("orders");
    assertThat(fixture.cdc.functions().mapLsnToTime(new byte[10])).isNull();
    assertThat(fixture.cdc.functions().mapLsnToTime(null)).isNull();
  }

  @Test
  void mapIsReadableByEverybodyUnlessSwitchedOff() {
    int map = fixture.store.table("cdc", "lsn_time_mapping").orElseThrow().objectId();
    assertThat(fixture.store.publicTables).containsExactly(map);
    CdcFixture closed =
        new CdcFixture(CdcSettings.defaults().with(CdcSettings.LsnMapAccess.DB_OWNER));
    assertThat(closed.store.publicTables).isEmpty();
  }
}

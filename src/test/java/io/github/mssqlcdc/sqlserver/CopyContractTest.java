package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a copy ends that was begun at a time; the LSN map is written by hand. */
class CopyContractTest {
  private static final String IDLE = "0x00";
  private static final String COMMIT = "0x01";

  private final ClientFixture fixture = new ClientFixture();
  private final List<String> rows = new ArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void itIsTheLastEntryAtOrBeforeTheTime() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00", "2025-11-05T10:05:00.003");

    assertThat(at("2025-11-05T10:05:00Z")).isEqualTo(2);
    assertThat(at("2025-11-05T10:04:59.999Z")).isEqualTo(1);
    // cut to the second
    assertThat(at("2025-11-05T10:05:00.999Z")).isEqualTo(2);
    assertThat(at("2025-11-05T10:05:01Z")).isEqualTo(3);
    assertThat(at("2025-11-06T10:05:00Z")).isEqualTo(3);
    assertThat(copy("UTC", "2025-11-05T10:05:00Z", Duration.ZERO).entry())
        .isEqualTo(new MapEntry(lsn(2), LocalDateTime.parse("2025-11-05T10:05:00")));
  }

  @Test
  void theMarginMakesItAnEarlierOne() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00", "2025-11-05T10:06:00");

    Duration minute = Duration.ofMinutes(1);
    assertThat(place(copy("UTC", "2025-11-05T10:06:00Z", minute))).isEqualTo(2);
    assertThat(place(copy("UTC", "2025-11-05T10:05:59Z", minute))).isEqualTo(1);
  }

  @Test
  void timesThatStepBackByAMomentBelongToTheFirstLaterOne() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00.007", "2025-11-05T10:05:00");

    assertThat(at("2025-11-05T10:05:00Z")).isEqualTo(1);
  }

  @Test
  void aClockThatWasSetBackHasShownTheTimeBeforeTheStepPerhaps() {
    map("2025-11-05T10:00:00", "2025-11-05T10:01:00", "2025-11-05T09:02:00", "2025-11-05T09:40:00");

    assertThat(at("2025-11-05T10:02:00Z")).isEqualTo(2);
    assertThat(at("2025-11-05T11:00:59Z")).isEqualTo(2);
    // no server is without an entry for that long
    assertThat(at("2025-11-05T11:02:00Z")).isEqualTo(4);
  }

  @Test
  void anInstancesCreationHasABackdatedEntryThatCountsForNothing() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00");
    entry("2025-11-05T09:30:00", IDLE);
    write();

    assertThat(at("2025-11-05T10:06:00Z")).isEqualTo(2);
    entry("2025-11-05T10:20:00", COMMIT);
    write();
    assertThat(at("2025-11-05T10:30:00Z")).isEqualTo(4);
  }

  @Test
  void idleEntriesCount() {
    map("2025-11-05T10:00:00");
    entry("2025-11-05T10:05:00", IDLE);
    write();

    assertThat(at("2025-11-05T10:06:00Z")).isEqualTo(2);
  }

  @Test
  void inTheHourBeforeAFallBackItIsAnHourEarlier() {
    map(
        "2025-11-02T00:20:00",
        "2025-11-02T00:50:00",
        "2025-11-02T01:10:00",
        "2025-11-02T01:20:00",
        "2025-11-02T02:10:00",
        "2025-11-02T03:30:00");

    // 01:30, the first time; the fourth entry may be of the second pass
    assertThat(place(copy("America/New_York", "2025-11-02T05:30:00Z", Duration.ZERO))).isEqualTo(1);
    assertThat(place(copy("America/New_York", "2025-11-02T06:30:00Z", Duration.ZERO))).isEqualTo(4);
    assertThat(place(copy("America/New_York", "2025-11-02T08:31:00Z", Duration.ZERO))).isEqualTo(6);
  }

  @Test
  void afterAnHourThatRepeatedTheFirstPassIsSafe() {
    map("2025-11-02T01:50:00", "2025-11-02T01:05:00", "2025-11-02T01:55:00", "2025-11-02T03:30:00");

    assertThat(place(copy("America/New_York", "2025-11-02T07:10:00Z", Duration.ZERO))).isEqualTo(1);
    assertThat(place(copy("America/New_York", "2025-11-02T08:30:00Z", Duration.ZERO))).isEqualTo(4);
  }

  @Test
  void aServerIsAskedInItsOwnTime() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00");

    assertThat(place(copy("Etc/GMT+3", "2025-11-05T13:05:00Z", Duration.ZERO))).isEqualTo(2);
    assertThat(place(copy("Etc/GMT+3", "2025-11-05T13:04:00Z", Duration.ZERO))).isEqualTo(1);
  }

  @Test
  void aTimeBeforeAllThatIsKnownIsLost() {
    map("2025-11-05T10:00:00");

    for (String asOf : List.of("2025-11-05T09:59:59Z", "0001-01-01T00:00:00Z")) {
      assertThatThrownBy(() -> at(asOf))
          .isInstanceOf(DataLossException.class)
          .hasMessageStartingWith(
              "Cannot seed from a copy as of "
                  + asOf
                  + ": CDC has the changes of dbo.orders (capture instance dbo_orders) from min LSN "
                  + lsn(1)
                  + " (2025-11-05T10:00Z) on")
          .hasMessageEndingWith(
              "the copy is older than the retention of CDC, or than the capture instance. Nothing"
                  + " was written. Seed a newer copy");
    }
  }

  @Test
  void whatLiesBeforeMinLsnIsLost() {
    map("2025-11-05T10:00:00", "2025-11-05T10:05:00", "2025-11-05T10:10:00");
    fixture.database.run("UPDATE cdc.change_tables SET start_lsn = " + lsn(3));

    assertThatThrownBy(() -> at("2025-11-05T10:06:00Z"))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("from min LSN " + lsn(3) + " (2025-11-05T10:10Z) on");
    assertThat(at("2025-11-05T10:10:00Z")).isEqualTo(3);
  }

  @Test
  void aFreshInstanceHasEverythingSinceItsCreation() throws SQLException {
    CaptureInstance orders = fixture.orders();
    Lsn beforeAll = ClientFixture.start(orders);
    // times count to the second
    fixture.database.run("WAITFOR DELAY '00:00:01.1'");
    Instant later = now();

    StartPosition position = fixture.client.copyAt(orders, later, Duration.ZERO);

    assertThat(position.after()).isGreaterThanOrEqualTo(beforeAll);
    fixture.commit("INSERT INTO dbo.orders VALUES (1, N'a')");
    assertThat(
            fixture
                .changes(orders, ChangeRange.commits(position.after(), fixture.maxLsn()))
                .stream()
                .map(Change::text))
        .containsExactly("2 1 a");
    assertThatThrownBy(() -> fixture.client.copyAt(orders, later, Duration.ofHours(1)))
        .isInstanceOf(DataLossException.class);
  }

  @Test
  void entriesOfOtherTablesBeforeItsCreationChangeNothing() throws SQLException {
    fixture.database.run("WAITFOR DELAY '00:00:01.1'");
    CaptureInstance orders = fixture.orders();
    fixture.database.run(
        "INSERT INTO cdc.lsn_time_mapping (start_lsn, tran_end_time, tran_id) VALUES ("
            + new Lsn(1, 9)
            + ", '2025-11-05T09:59:00', 0x01)");

    assertThat(fixture.client.copyAt(orders, now(), Duration.ZERO).after())
        .isGreaterThanOrEqualTo(ClientFixture.start(orders));
  }

  @Test
  void aTimeInTheFutureIsRefused() {
    map("2025-11-05T10:00:00");
    Instant future = Instant.now().plusSeconds(7200);

    for (Instant asOf : List.of(future, Instant.MAX)) {
      assertThatThrownBy(() -> copy("UTC", asOf.toString(), Duration.ofMinutes(1)))
          .isInstanceOfSatisfying(
              InvalidRequestException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
          .hasMessageStartingWith("Invalid asOf " + asOf + ": it is in the future, the server's");
    }
  }

  private int at(String asOf) {
    return place(copy("UTC", asOf, Duration.ZERO));
  }

  private StartPosition copy(String zone, String asOf, Duration margin) {
    SqlServer client =
        fixture.connect(
            fixture.database.user(), fixture.database.password(), "sourceTimeZone", zone);
    return client.copyAt(fixture.orders(), Instant.parse(asOf), margin);
  }

  private Instant now() {
    String sql = "SELECT CONVERT(varchar(23), SYSUTCDATETIME(), 126)";
    String time = fixture.database.query(sql).get(0).get(0).toString();
    return LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
  }

  private static int place(StartPosition position) {
    return position.after().low() / 10;
  }

  private void map(String... times) {
    rows.clear();
    for (String time : times) {
      entry(time, COMMIT);
    }
    write();
  }

  private void entry(String time, String transaction) {
    rows.add("(" + lsn(rows.size() + 1) + ", '" + time + "', " + transaction + ")");
  }

  private void write() {
    fixture.database.run(
        "UPDATE cdc.change_tables SET start_lsn = " + lsn(1),
        "DELETE FROM cdc.lsn_time_mapping",
        "INSERT INTO cdc.lsn_time_mapping (start_lsn, tran_end_time, tran_id) VALUES "
            + String.join(", ", rows));
  }

  /** Below all that capture goes on to write. */
  private static Lsn lsn(int place) {
    return new Lsn(1000, 10 * place);
  }
}

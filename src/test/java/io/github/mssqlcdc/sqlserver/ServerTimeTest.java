package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ClientFixture.Change;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.StandIn.Received;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers whose clocks stand in a zone, change their offset, or are set. */
class ServerTimeTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final ZoneId SAO_PAULO = ZoneId.of("America/Sao_Paulo");

  /** The clocks go back in New York. */
  private static final Instant FALL_BACK = Instant.parse("2025-11-02T06:00:00Z");

  private final ManualClock clock = new ManualClock(FALL_BACK.minus(Duration.ofHours(3)));
  private @Nullable StandIn standIn;
  private @Nullable ClientFixture fixture;
  private int lastId;

  @AfterEach
  void close() {
    if (fixture != null) {
      fixture.close();
    }
    if (standIn != null) {
      standIn.close();
    }
  }

  @Test
  void commitTimesOfAServerThatNamesItsZoneAreUtc() {
    start(16, SAO_PAULO, Clock.systemUTC());
    Lsn before = fixture().maxLsn();
    commit();

    Head.End end = end(fixture().client, before);

    assertThat(end.clock().zone()).isEqualTo(SAO_PAULO);
    assertThat(Duration.between(end.latest(), LocalDateTime.now(ZoneOffset.UTC)).abs())
        .isLessThan(Duration.ofMinutes(1));
    assertThat(Duration.between(end.entry().at(), end.latest())).isEqualTo(Duration.ofHours(3));
    LocalDateTime stamped = fixture().client.commitTs(end.entry());
    assertThat(stamped).isEqualTo(end.latest());
  }

  @Test
  void theZoneIsLookedUpOncePerClient() {
    start(16, SAO_PAULO, clock);
    SqlServer client = client();
    standIn().clearRequests();
    for (int i = 0; i < 3; i++) {
      commit();
      end(client, fixture().maxLsn().previous());
    }

    assertThat(standIn().requests())
        .extracting(Received::sql)
        .filteredOn(sql -> sql.contains("CURRENT_TIMEZONE_ID"))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 14, 15})
  void olderServersGiveTheirOffsetAndAreNeverAskedForAName(int version) {
    try (CapturedLog log = CapturedLog.of(ClockLog.class)) {
      start(version, SAO_PAULO, clock);
      for (int i = 0; i < 2; i++) {
        commit();
        Head.End end = end(client(), fixture().maxLsn().previous());
        assertThat(end.clock().zone()).isEqualTo(ZoneOffset.ofHours(-3));
        assertThat(end.latest()).isEqualTo(utc());
      }

      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("the fixed offset UTC-03:00 is taken")
          .contains("daylight saving")
          .contains("sourceTimeZone");
      assertThat(standIn().requests())
          .extracting(Received::sql)
          .noneMatch(sql -> sql.contains("CURRENT_TIMEZONE_ID"));
    }
  }

  @Test
  void anOffsetIsReadAgainForEachBatchAndItsChangeToldOnce() {
    try (CapturedLog log = CapturedLog.of(ClockLog.class)) {
      start(15, NEW_YORK, clock);
      SqlServer client = client();
      SqlServer other = client();
      Lsn start = commit();
      assertThat(end(client, start.previous()).clock().zone()).isEqualTo(ZoneOffset.ofHours(-4));
      assertThat(other.clock().zone()).isEqualTo(ZoneOffset.ofHours(-4));

      clock.set(FALL_BACK.plusSeconds(600));
      Lsn after = commit();
      Head.End end = end(client, start);
      assertThat(end.clock().zone()).isEqualTo(ZoneOffset.ofHours(-5));
      assertThat(end.latest()).isEqualTo(utc());
      assertThat(client.clock(start, after)).isEqualTo(end.clock());
      end(other, start);

      clock.advance(Duration.ofMinutes(1));
      Lsn next = commit();
      assertThat(end(client, after).latest()).isEqualTo(utc());
      assertThat(client.snapshotStamp(fixture().orders()).lsn()).isEqualTo(next);

      assertThat(log.warnings()).hasSize(2);
      assertThat(log.warnings().get(1)).contains("changed from -240 to -300 minutes");
    }
  }

  @Test
  void aBatchAcrossAChangeOfTheOffsetIsNotAheadOfThePresent() {
    start(13, NEW_YORK, clock);
    SqlServer client = client();
    Lsn start = commit();
    end(client, start.previous());
    clock.set(FALL_BACK.minusSeconds(30));
    commit();
    clock.set(FALL_BACK.plusSeconds(30));
    commit();

    assertThat(end(client, start).latest()).isEqualTo(utc());
  }

  @Test
  void aZoneGivenByNameOrAsAnOffsetIsNotReadAgain() {
    start(15, NEW_YORK, clock);
    SqlServer named = client("sourceTimeZone", "Eastern Standard Time");
    SqlServer fixed = client("sourceTimeZone", "-04:00");
    clock.set(FALL_BACK.plusSeconds(600));
    Lsn lsn = commit();

    assertThat(end(named, lsn.previous()).clock().zone()).isEqualTo(NEW_YORK);
    assertThat(end(fixed, lsn.previous()).clock().zone()).isEqualTo(ZoneOffset.ofHours(-4));
  }

  @Test
  void timesFollowTheOrderOfLsnsThroughAnHourThatRepeats() {
    start(16, NEW_YORK, clock);
    Lsn start = fixture().maxLsn();
    List<LocalDateTime> expected = new ArrayList<>();
    List<MapEntry> entries = new ArrayList<>();
    for (int minutes : List.of(-3, 2, 20, 59, 60, 70)) {
      clock.set(FALL_BACK.plus(Duration.ofMinutes(minutes)));
      Lsn lsn = commit();
      entries.add(fixture().client.mapEntry(lsn).orElseThrow());
      expected.add(utc());
      assertThat(end(fixture().client, start).latest()).isEqualTo(utc());
    }
    ServerClock found = fixture().client.clock(start, fixture().maxLsn());

    assertThat(entries)
        .extracting(entry -> entry.at().toLocalTime().toString())
        .containsExactly("01:57", "01:02", "01:20", "01:59", "02:00", "02:10");
    assertThat(entries).extracting(found::toUtc).containsExactlyElementsOf(expected);
    assertThat(entries).extracting(fixture().client::commitTs).containsExactlyElementsOf(expected);
  }

  @Test
  void timesGoOnOverAnHourThatIsLeftOut() {
    clock.set(Instant.parse("2026-03-08T06:59:00Z"));
    start(16, NEW_YORK, clock);
    Lsn start = commit();
    assertThat(end(fixture().client, start.previous()).latest()).isEqualTo(utc());
    clock.advance(Duration.ofMinutes(2));
    commit();

    assertThat(end(fixture().client, start).latest()).isEqualTo(utc());
    assertThat(end(fixture().client, start).entry().at().toLocalTime()).hasToString("03:01");
  }

  @Test
  void anEndCarriesTheLargestTimeWhereTheMapStepsBackByMoments() {
    start(16, ZoneOffset.UTC, clock);
    Lsn start = fixture().maxLsn();
    clock.advance(Duration.ofMillis(10));
    commit();
    LocalDateTime largest = utc();
    clock.advance(Duration.ofMillis(-10));
    Lsn last = commit();

    Head.End end = end(fixture().client, start);

    assertThat(end.entry()).isEqualTo(new MapEntry(last, utc()));
    assertThat(end.latest()).isEqualTo(largest);
  }

  @Test
  void aStartInTheHourBeforeAFallBackMissesNothing() throws SQLException {
    start(16, NEW_YORK, clock);
    for (int minutes : List.of(-150, -50, -20, 10, 40, 80)) {
      clock.set(FALL_BACK.plus(Duration.ofMinutes(minutes)));
      commit();
    }
    clock.advance(Duration.ofMinutes(1));

    assertThat(from(fixture().client, -60)).containsExactly(2, 3, 4, 5, 6);
    // 01:45 is both: 00:45 is where it is safe to begin
    assertThat(from(fixture().client, -15)).containsExactly(2, 3, 4, 5, 6);
    assertThat(from(fixture().client, 20)).contains(5, 6);
    assertThat(from(fixture().client, 70)).containsExactly(6);
  }

  @Test
  void aStartByAnOffsetAloneGoesBackOneMoreHour() throws SQLException {
    start(15, SAO_PAULO, clock);
    for (int i = 0; i < 4; i++) {
      clock.advance(Duration.ofMinutes(30));
      commit();
    }
    int last = (int) Duration.between(FALL_BACK, clock.instant()).toMinutes();

    assertThat(from(client(), last)).containsExactly(2, 3, 4);
    assertThat(from(client("sourceTimeZone", "E. South America Standard Time"), last))
        .containsExactly(4);
  }

  @Test
  void aStartOlderThanWhatCleanupHasLeftIsDataLoss() {
    start(16, SAO_PAULO, clock);
    commit();
    clock.advance(Duration.ofHours(10));
    commit();
    standIn().cleanup(Duration.ofHours(5));
    CaptureInstance orders = fixture().orders();

    assertThatThrownBy(
            () -> fixture().client.startAt(orders, clock.instant().minus(Duration.ofHours(6))))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("its changes are there from 2025-11-02T13:00Z (min LSN ")
        .hasMessageContaining("purged by CDC cleanup")
        .hasMessageContaining("Set 'startingLsn' to earliest");
    StartPosition start = fixture().client.startAt(orders, clock.instant());
    assertThat(start.after()).isEqualTo(Objects.requireNonNull(orders.startLsn()).previous());
  }

  private void start(int version, ZoneId zone, Clock on) {
    standIn =
        StandIn.builder().majorVersion(version).timeZone(zone).clock(on).manualCapture().start();
    fixture = new ClientFixture(StandInDatabase.create(standIn));
  }

  private SqlServer client(String... namesAndValues) {
    return fixture()
        .connect(fixture().database.user(), fixture().database.password(), namesAndValues);
  }

  private Lsn commit() {
    fixture().commit("INSERT INTO dbo.orders (id) VALUES (" + ++lastId + ")");
    return fixture().maxLsn();
  }

  private Head.End end(SqlServer client, Lsn after) {
    return Objects.requireNonNull(client.head(fixture().orders(), after, HeadLimits.NONE).end());
  }

  /** Ids that a start so many minutes from the fall-back reads. */
  private List<Integer> from(SqlServer client, int minutes) throws SQLException {
    CaptureInstance orders = fixture().orders();
    StartPosition start = client.startAt(orders, FALL_BACK.plus(Duration.ofMinutes(minutes)));
    return fixture()
        .changes(orders, ChangeRange.commits(start.after(), fixture().maxLsn()))
        .stream()
        .map(Change::id)
        .toList();
  }

  private LocalDateTime utc() {
    return LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private StandIn standIn() {
    return Objects.requireNonNull(standIn);
  }

  private ClientFixture fixture() {
    return Objects.requireNonNull(fixture);
  }
}

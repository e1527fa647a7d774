package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.sqlserver.CaptureWatch.Newest;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CaptureWatchTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 11, 1, 12, 0);

  private final CapturedLog log = CapturedLog.of(CaptureWatch.class);
  private long nanos = Long.MAX_VALUE - 5;
  private final CaptureWatch watch = new CaptureWatch(target(), () -> nanos);

  /** The server's clock, local. */
  private LocalDateTime now = NOON;

  private @Nullable Lsn max = new Lsn(1, 0);
  private @Nullable LocalDateTime at = NOON;

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void warnsOnceAfterAQuarterOfAnHourWithoutAMove() {
    poll(Duration.ZERO);
    for (int minute = 1; minute < 15; minute++) {
      poll(Duration.ofMinutes(1));
    }
    assertThat(log.warnings()).isEmpty();
    poll(Duration.ofMinutes(1));

    assertThat(log.warnings())
        .singleElement()
        .asString()
        .startsWith(
            "Capture (server db, database shop, user reader): max LSN has stayed at "
                + max
                + " for 15 minutes; its commit was at 2026-11-01T12:00 on the server's clock, which"
                + " shows 2026-11-01T12:15 now. Capture has stopped or is far behind")
        .contains("capture job", "sys.dm_cdc_errors");
    for (int hour = 0; hour < 30; hour++) {
      poll(Duration.ofHours(1));
    }
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void warnsAgainOnlyOnceCaptureHasMovedAndStoppedAgain() {
    poll(Duration.ZERO);
    poll(Duration.ofMinutes(20));
    move(2, Duration.ofMinutes(3));
    poll(Duration.ofMinutes(14));
    assertThat(log.warnings()).hasSize(1);

    poll(Duration.ofMinutes(1));
    assertThat(log.warnings()).hasSize(2);
  }

  @Test
  void captureThatWorksThroughABacklogMoves() {
    poll(Duration.ZERO);
    for (int i = 2; i < 40; i++) {
      max = new Lsn(i, 0);
      at = NOON.plusMinutes(i);
      poll(Duration.ofMinutes(10));
    }
    assertThat(log.warnings()).isEmpty();
    assertThat(watch.lag()).isGreaterThan(Duration.ofHours(5));
  }

  @Test
  void anIdleDatabaseMovesEveryFiveMinutes() {
    poll(Duration.ZERO);
    for (int i = 2; i < 40; i++) {
      move(i, Duration.ofMinutes(5));
    }
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void anHourThatRepeatsIsNoStop() {
    poll(Duration.ZERO);
    now = now.minusHours(1);
    for (int minute = 0; minute < 65; minute++) {
      poll(Duration.ofMinutes(1));
      assertThat(watch.lag()).as("by our own clock").isGreaterThan(Duration.ofMinutes(minute));
    }
    assertThat(log.warnings()).isEmpty();
    // no idle entry came once the clock had caught up: now it is one
    for (int minute = 0; minute < 10; minute++) {
      poll(Duration.ofMinutes(1));
    }
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void aClockPutForwardIsNoStop() {
    poll(Duration.ofMinutes(4));
    now = now.plusHours(3);
    poll(Duration.ofSeconds(1));
    move(2, Duration.ofSeconds(5));
    poll(Duration.ofMinutes(4));
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void atFirstSightAnOldEntryIsEnough() {
    poll(Duration.ofMinutes(74));
    assertThat(log.warnings()).as("an hour may have been left out").isEmpty();

    CaptureWatch next = new CaptureWatch(target(), () -> nanos);
    next.observe(new Newest(max, at, now.plusMinutes(1)));
    assertThat(log.warnings()).singleElement().asString().contains("for 75 minutes");
  }

  @Test
  void anEmptyMapThatStaysIsAStop() {
    max = null;
    at = null;
    poll(Duration.ofDays(1));
    assertThat(log.warnings()).isEmpty();
    assertThat(watch.lag()).isNull();
    poll(Duration.ofMinutes(15));
    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains("stayed at nothing (the LSN map is empty) for 15 minutes");
  }

  @Test
  void aLaggingReplicasAnswersAreNoMove() {
    Lsn high = Objects.requireNonNull(max);
    for (int minute = 0; minute < 16; minute++) {
      max = minute % 2 == 0 ? high : high.previous();
      at = minute % 2 == 0 ? NOON : NOON.minusHours(1);
      poll(Duration.ofMinutes(minute == 0 ? 0 : 1));
    }
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void theLagGrowsBetweenReads() {
    poll(Duration.ofSeconds(10));
    nanos += Duration.ofSeconds(7).toNanos();
    assertThat(watch.lag()).isEqualTo(Duration.ofSeconds(17));
  }

  @Test
  void allClientsOfAServerWarnOnce() {
    ManualClock clock = new ManualClock(Instant.parse("2026-11-01T12:00:00Z"));
    try (StandIn server = StandIn.builder().clock(clock).manualCapture().start();
        ClientFixture fixture = new ClientFixture(StandInDatabase.create(server))) {
      CaptureInstance orders = fixture.orders();
      fixture.commit("INSERT INTO dbo.orders (id, name) VALUES (1, N'a')");
      List<SqlServer> clients =
          List.of(
              fixture.connect(server.adminUser(), server.adminPassword()),
              fixture.connect(server.adminUser(), server.adminPassword(), "fetchSize", "5"));
      assertThat(fixture.client.captureLag()).isNull();
      clock.advance(Duration.ofHours(2));
      for (SqlServer client : clients) {
        client.head(orders, ClientFixture.start(orders), HeadLimits.NONE);
        client.maxLsn();
        assertThat(client.captureLag()).isBetween(Duration.ofHours(2), Duration.ofHours(3));
      }
      assertThat(log.warnings()).hasSize(1);

      server.capture();
      clients.get(0).maxLsn();
      assertThat(clients.get(1).captureLag()).isLessThan(Duration.ofMinutes(1));
      assertThat(log.warnings()).hasSize(1);
    }
  }

  private void move(int lsn, Duration after) {
    max = new Lsn(lsn, 0);
    at = now.plus(after);
    poll(after);
  }

  private void poll(Duration after) {
    nanos += after.toNanos();
    now = now.plus(after);
    watch.observe(new Newest(max, at, now));
  }

  private static ConnectionTarget target() {
    return DriverTarget.of(
        StreamOptions.parse(
                Map.of(
                    "url", "jdbc:sqlserver://db;databaseName=shop",
                    "user", "reader",
                    "password", "geheim",
                    "captureInstance", "dbo_orders"))
            .source()
            .connection());
  }
}

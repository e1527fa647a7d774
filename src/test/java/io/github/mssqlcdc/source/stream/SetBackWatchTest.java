package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SetBackWatchTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 7, 1, 12, 0);

  private final FakeSqlServer server = new FakeSqlServer();
  private final CapturedLog log = CapturedLog.of(SetBackWatch.class);

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void aStepIsToldOnceAndTheNextOneAgain() {
    entries(0, 1, 2, -8, -7, 1, 2, 3, 4, -6, -12, -11, 6);

    List<Offset> ends = run(1);

    assertThat(ends).extracting(Offset::commitTs).isSorted();
    assertThat(ends.get(3).commitTs()).isEqualTo(ends.get(2).commitTs());
    assertThat(ends.get(3).at()).isEqualTo(NOON.minusMinutes(8));
    assertThat(log.warnings()).hasSize(3);
    assertThat(log.warnings().get(0))
        .isEqualTo(
            "Capture instance 'dbo_orders': the server's clock went back by about 600 s at or"
                + " before "
                + lsn(13)
                + " (2026-07-01T11:52 on that clock); commit times stay at 2026-07-01T15:02 UTC"
                + " until it has caught up");
    assertThat(log.warnings().get(1)).contains("about 600 s").contains(lsn(19).toString());
    assertThat(log.warnings().get(2)).contains("about 960 s").contains(lsn(20).toString());
  }

  @Test
  void aStepInsideABatchIsToldToo() {
    entries(0, 1, 2, -8, -7, -6, -5);

    run(4);

    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void aRestartRepeatsNothing() {
    entries(0, 1, 2, -8, -7, -6);
    List<Offset> ends = run(1);
    int before = log.warnings().size();

    ends().next(ends.get(3), new HeadLimits(null, 1L, null));

    assertThat(before).isEqualTo(1);
    assertThat(log.warnings()).hasSize(1);
  }

  @Test
  void momentsAndHoursThatRepeatAreNoStep() {
    server.setZone(ZoneId.of("America/New_York"));
    LocalDateTime night = LocalDateTime.of(2025, 11, 2, 1, 0);
    for (double minutes : new double[] {57, 56.9, 59, 0, 1, 30, 29.9, 59, 60, 70}) {
      server.setTime(server.insert(1), night.plusSeconds(Math.round(60 * minutes)));
    }

    run(1);

    assertThat(log.warnings()).isEmpty();
  }

  private void entries(int... minutes) {
    for (int minute : minutes) {
      server.setTime(server.insert(1), NOON.plusMinutes(minute));
    }
  }

  private List<Offset> run(long cap) {
    List<Offset> made = new ArrayList<>();
    Offset start = Offset.of(lsn(10).previous());
    BatchEnds ends = ends();
    Lsn last = server.maxLsn().orElseThrow();
    while (!start.lsn().equals(last)) {
      start = ends.next(start, new HeadLimits(null, cap, null));
      made.add(start);
    }
    return made;
  }

  private BatchEnds ends() {
    return new BatchEnds(
        server,
        Fixtures.instances(server, OnLoss.FAIL),
        new HistoryCheck("dbo_orders"),
        new Admission(Duration.ZERO, () -> 0),
        Duration.ZERO,
        () -> 0);
  }
}

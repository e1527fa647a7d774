package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchEndsTest {
  private static final Duration POLL = Duration.ofMillis(1);
  private static final Offset BEGIN = Offset.of(lsn(10).previous());

  private final FakeSqlServer server = new FakeSqlServer();
  private long nanos;

  @Test
  void pollsOnce() {
    server.insert(1);
    BatchEnds ends = ends();

    Offset end = ends.next(BEGIN, HeadLimits.NONE);

    assertThat(end.lsn()).isEqualTo(lsn(10));
    assertThat(server.calls()).containsExactly("head");
    assertThat(ends.maxLsn()).isEqualTo(lsn(10));
    assertThat(ends.pollOf(end))
        .isEqualTo(new Poll(Duration.ofMillis(2), new ServerClock(FakeSqlServer.ZONE)));
    assertThat(ends.pollOf(BEGIN)).isNull();
  }

  @Test
  void looksAtTheHistoryOnceBeforeTheFirstPoll() {
    server.insert(1);
    BatchEnds ends = ends();
    Offset first = ends.next(BEGIN, HeadLimits.NONE);
    BatchEnds restarted = ends();
    server.calls().clear();

    assertThat(restarted.next(first, HeadLimits.NONE)).isEqualTo(first);
    assertThat(restarted.next(first, HeadLimits.NONE)).isEqualTo(first);

    assertThat(server.calls()).containsExactly("mapEntry", "head", "head");
  }

  @Test
  void failsIfTheMapHasAnotherTimeAtThePosition() {
    server.insert(1);
    Offset position = ends().next(BEGIN, HeadLimits.NONE);
    server.setTime(lsn(10), FakeSqlServer.EPOCH.plusDays(1));

    assertThatThrownBy(() -> ends().next(position, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("dbo_orders")
        .hasMessageContaining(lsn(10).toString())
        .hasMessageContaining("2026-11-02T12:00")
        .hasMessageContaining("snapshot is required");
  }

  @Test
  void failsIfTheMapHasAnotherTimeWhereASnapshotHasSeen() {
    server.insert(1);
    Offset seen = new Offset(server.insert(2), null, FakeSqlServer.EPOCH.plusMinutes(2));
    assertThat(ends(seen).next(BEGIN, new HeadLimits(null, 1L, null)).lsn()).isEqualTo(lsn(10));
    server.setTime(seen.lsn(), FakeSqlServer.EPOCH.plusDays(1));

    assertThatThrownBy(() -> ends(seen).next(BEGIN, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining(seen.lsn().toString());
  }

  @Test
  void readsNothingFromAServerThatIsBehindWhatASnapshotHasSeen() {
    server.insert(1);
    BatchEnds ends = ends(new Offset(lsn(11), null, FakeSqlServer.EPOCH.plusMinutes(2)));
    assertThat(ends.next(BEGIN, HeadLimits.NONE)).isEqualTo(BEGIN);

    nanos += POLL.toNanos();
    server.insert(2);
    assertThat(ends.next(BEGIN, HeadLimits.NONE).lsn()).as("caught up").isEqualTo(lsn(11));
  }

  @Test
  void failsIfTheServerStaysBehindWhatASnapshotHasSeen() {
    server.insert(1);
    Offset seen = new Offset(lsn(50), null, FakeSqlServer.EPOCH);
    BatchEnds ends = ends(seen);
    for (int poll = 1; poll < HistoryCheck.POLLS_BEHIND; poll++) {
      assertThat(ends.next(BEGIN, HeadLimits.NONE)).isEqualTo(BEGIN);
      nanos += POLL.toNanos();
    }
    BatchEnds once = ends(seen);
    once.fixTarget();

    assertThatThrownBy(() -> ends.next(BEGIN, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class);
    assertThatThrownBy(() -> once.next(BEGIN, HeadLimits.NONE))
        .as("under AvailableNow")
        .isInstanceOf(HistoryChangedException.class);
  }

  @Test
  void failsIfTheMapHasNoEntryAtARetainedPosition() {
    server.insert(1);
    server.insert(2);
    Offset elsewhere =
        new Offset(new Lsn(10, 9), FakeSqlServer.EPOCH, FakeSqlServer.EPOCH.plusMinutes(1));

    assertThatThrownBy(() -> ends().next(elsewhere, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("no entry there now");
  }

  @Test
  void leavesAPurgedPositionToTheRetentionGuard() {
    server.insert(1);
    Offset position = ends().next(BEGIN, HeadLimits.NONE);
    server.insert(2);
    server.insert(3);
    server.purge(lsn(12));

    assertThat(ends().next(position, HeadLimits.NONE).lsn()).isEqualTo(lsn(12));
  }

  @Test
  void takesAPositionWithoutATimeForNoSign() {
    server.insert(1);

    assertThat(ends().next(Offset.of(lsn(50)), HeadLimits.NONE)).isEqualTo(Offset.of(lsn(50)));
    assertThat(server.calls()).containsExactly("head");
  }

  @Test
  void waitsTenPollsForALaggingReplicaThenFails() {
    server.insert(1);
    Offset ahead = new Offset(lsn(50), FakeSqlServer.EPOCH, FakeSqlServer.EPOCH);
    BatchEnds ends = ends();
    for (int poll = 1; poll < HistoryCheck.POLLS_BEHIND; poll++) {
      nanos += POLL.toNanos();
      assertThat(ends.next(ahead, HeadLimits.NONE)).isEqualTo(ahead);
      // the same poll, shared
      assertThat(ends.next(ahead, HeadLimits.NONE)).isEqualTo(ahead);
    }
    nanos += POLL.toNanos();

    assertThatThrownBy(() -> ends.next(ahead, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("max LSN has stayed at " + lsn(10) + " for 10 polls");
  }

  @Test
  void countsPollsBehindAnewOnceTheServerHasCaughtUp() {
    server.insert(1);
    server.insert(2);
    Offset ahead = new Offset(lsn(12), null, FakeSqlServer.EPOCH.plusMinutes(3));
    BatchEnds ends = ends();
    for (int poll = 1; poll < HistoryCheck.POLLS_BEHIND; poll++) {
      nanos += POLL.toNanos();
      ends.next(ahead, HeadLimits.NONE);
    }
    server.insert(3);
    nanos += POLL.toNanos();

    assertThat(ends.next(ahead, HeadLimits.NONE)).isEqualTo(ahead);
    server.insert(4);
    assertThat(ends.next(ahead, HeadLimits.NONE).lsn()).isEqualTo(lsn(13));
  }

  @Test
  void stopsAtTheTargetFixedWhenAvailableNowBegan() {
    server.insert(1);
    server.insert(2);
    BatchEnds ends = ends();
    ends.fixTarget();
    server.insert(3);

    Offset end = ends.next(BEGIN, HeadLimits.NONE);
    assertThat(end.lsn()).isEqualTo(lsn(11));
    assertThat(ends.next(end, HeadLimits.NONE)).isEqualTo(end);
  }

  @Test
  void reachesTheTargetUnderACapAndThenStays() {
    server.insert(1);
    server.insert(2);
    server.idle();
    BatchEnds ends = ends();
    ends.fixTarget();
    HeadLimits cap = new HeadLimits(null, 1L, null);

    Offset first = ends.next(BEGIN, cap);
    Offset second = ends.next(first, cap);
    Offset third = ends.next(second, cap);

    assertThat(List.of(first.lsn(), second.lsn(), third.lsn()))
        .containsExactly(lsn(10), lsn(11), lsn(12));
    assertThat(ends.next(third, cap)).isEqualTo(third);
  }

  @Test
  void failsUnderAvailableNowToo() {
    server.insert(1);
    Offset ahead = new Offset(lsn(50), FakeSqlServer.EPOCH, FakeSqlServer.EPOCH);
    BatchEnds ends = ends();
    ends.fixTarget();

    assertThatThrownBy(() -> ends.next(ahead, HeadLimits.NONE))
        .isInstanceOf(HistoryChangedException.class);
  }

  @Test
  void hasNothingNewOnAnEmptyMap() {
    BatchEnds ends = ends();

    assertThat(ends.next(BEGIN, HeadLimits.NONE)).isEqualTo(BEGIN);
    ends.fixTarget();
    assertThat(ends.next(BEGIN, HeadLimits.NONE)).isEqualTo(BEGIN);
  }

  private BatchEnds ends() {
    return ends(null);
  }

  private BatchEnds ends(@Nullable Offset seen) {
    return new BatchEnds(
        server,
        Fixtures.instances(server, RetentionGuard.OnLoss.FAIL),
        new HistoryCheck("dbo_orders", seen),
        new Admission(Duration.ZERO, () -> nanos),
        POLL,
        () -> nanos);
  }
}

package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Planning looks at the past that the batch, or its target, was read from. */
final class PlannedPastTest {
  private static final Offset BEGIN = Offset.of(lsn(10).previous());

  private final FakeSqlServer server = new FakeSqlServer();
  private final StreamLedger ledger = new StreamLedger();

  @Test
  void waitsForAServerThatLagsBehindABatchReplayed() {
    server.insert(1);
    Offset end = new Offset(lsn(11), null, FakeSqlServer.EPOCH.plusMinutes(2));
    AtomicInteger polls = new AtomicInteger();
    server.beforeMaxLsn(
        () -> {
          if (polls.incrementAndGet() == HistoryCheck.POLLS_BEHIND - 1) {
            server.insert(2);
          }
        });

    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, null)).hasSize(1);
    assertThat(polls).hasValue(HistoryCheck.POLLS_BEHIND - 1);
  }

  @Test
  void takesAServerThatStaysBehindABatchReplayedForOneThatWasSetBack() {
    server.insert(1);
    Offset end = new Offset(lsn(11), null, FakeSqlServer.EPOCH.plusMinutes(2));

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(BEGIN, end, null))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("max LSN has stayed at " + lsn(10) + " for 10 polls");
    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(BEGIN, Offset.of(lsn(11)), null))
        .as("an end without a time proves nothing")
        .isInstanceOf(SourceBehindException.class);
  }

  @Test
  void failsIfTheEndOfABatchReplayedHasAnotherTimeNow() {
    Lsn first = server.insert(1);
    Offset end = new Offset(server.insert(2), null, FakeSqlServer.EPOCH.plusMinutes(2));
    assertThat(planner(OnLoss.FAIL).plan(at(first), end, null)).hasSize(1);
    server.setTime(end.lsn(), FakeSqlServer.EPOCH.plusHours(9));

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(at(first), end, null))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining(end.lsn().toString());
    server.purge(lsn(11));
    assertThatThrownBy(() -> planner(OnLoss.SKIP).plan(Offset.of(lsn(9)), end, null))
        .as("after a skip, too")
        .isInstanceOf(HistoryChangedException.class);
  }

  @Test
  void failsIfTheStartHasAnotherTimeNow() {
    Lsn first = server.insert(1);
    Offset start = new Offset(first, FakeSqlServer.EPOCH, FakeSqlServer.EPOCH.plusMinutes(1));
    Offset end = at(server.insert(2));
    assertThat(planner(OnLoss.FAIL).plan(start, end, null)).hasSize(1);

    server.setTime(first, FakeSqlServer.EPOCH.plusHours(9));

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(start, end, null))
        .isInstanceOf(HistoryChangedException.class);
  }

  @Test
  void failsIfWhatASnapshotHasSeenHasAnotherTimeNow() {
    Offset first = at(server.insert(1));
    Offset seen = new Offset(server.insert(2), null, FakeSqlServer.EPOCH.plusMinutes(2));
    Offset third = at(server.insert(3));
    BatchPlanner planner =
        Fixtures.planner(server, OnLoss.FAIL, ledger, 2, new HistoryCheck("dbo_orders", seen));
    assertThat(planner.plan(BEGIN, first, null)).hasSize(1);

    server.setTime(seen.lsn(), FakeSqlServer.EPOCH.plusHours(9));

    assertThatThrownBy(() -> planner.plan(BEGIN, first, null))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining(seen.lsn().toString());
    assertThat(planner.plan(Offset.of(seen.lsn()), third, null))
        .as("a stream that is there has its own position")
        .hasSize(1);
  }

  private BatchPlanner planner(OnLoss onLoss) {
    return Fixtures.planner(server, onLoss, ledger, 3);
  }

  private static Offset at(Lsn lsn) {
    return Offset.of(lsn);
  }
}

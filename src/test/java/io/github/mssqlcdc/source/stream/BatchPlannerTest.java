package io.github.mssqlcdc.source.stream;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.RetentionGuard.OnLoss;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.source.Tiles;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BatchPlannerTest {
  private static final Offset BEGIN = Offset.of(lsn(10).previous());

  private final FakeSqlServer server = new FakeSqlServer();
  private final StreamLedger ledger = new StreamLedger();

  @Test
  void plansTheSameRangesInEachRun() {
    Offset end = at(server.insert(1, 2, 3, 4, 5));

    List<RangePartition> planned = planner(OnLoss.FAIL).plan(BEGIN, end, null);

    assertThat(planned).hasSize(2);
    assertThat(planned.get(0).range().through()).isEqualTo(lsn(10));
    assertThat(planned.get(1).range().after()).isEqualTo(lsn(10).previous());
    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, null)).isEqualTo(planned);
    assertThat(server.calls())
        .as("a replay finds the clock anew")
        .containsExactly("planChanges", "clock", "planChanges", "clock");
  }

  @Test
  void givesItsRangesTheClockOfThePoll() {
    Offset end = at(server.insert(1, 2, 3, 4, 5));
    ServerClock clock = new ServerClock(ZoneId.of("Asia/Tokyo"));

    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, new Poll(null, clock)))
        .hasSize(2)
        .allSatisfy(range -> assertThat(range.clock()).isEqualTo(clock));
    assertThat(server.calls()).containsExactly("planChanges");
  }

  @Test
  void provesThatABatchWithoutRowsHasNone() {
    Offset end = at(server.idle());

    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, null)).isEmpty();
    assertThat(measure().total()).isEqualTo(RangeMeasure.NOTHING);
    assertThat(measure().retentionWatermark()).isNotNull();
  }

  @Test
  void reportsTheMarksOfABatchThatEndsWhereItStarts() {
    server.insert(1);
    Offset stamp = Offset.of(lsn(10));
    server.setMinLsn(lsn(40));

    assertThat(planner(OnLoss.FAIL).plan(stamp, stamp, null)).isEmpty();
    assertThat(measure().total()).isEqualTo(RangeMeasure.NOTHING);
    assertThat(measure().sourceMaxCommitTs()).isNotNull();
  }

  @Test
  void readsNothingOfABatchThatTheTargetHolds() {
    Offset end = at(server.insert(1));
    ledger.heldThrough(lsn(10));

    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, null)).isEmpty();
    assertThat(server.calls()).isEmpty();
    assertThat(measure().total()).isNull();
  }

  @Test
  void readsABatchBeyondWhatTheTargetHolds() {
    server.insert(1);
    Offset end = at(server.insert(2));
    ledger.heldThrough(lsn(10));

    assertThat(planner(OnLoss.FAIL).plan(BEGIN, end, null)).hasSize(1);
  }

  @Test
  void recordsALossInAHeldBatchThatWouldHaveBeenSkipped() {
    server.insert(1);
    server.insert(2);
    Offset end = at(server.insert(3));
    server.purge(lsn(12));
    ledger.heldThrough(lsn(12));

    assertThat(planner(OnLoss.SKIP).plan(BEGIN, end, null)).isEmpty();
    assertThat(measure().total()).isNull();
    assertThat(batch().skips())
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(10));
              assertThat(skip.to()).isEqualTo(lsn(12));
              assertThat(skip.doubt()).contains("committed before a restart", "may be missing");
            });
  }

  @Test
  void failsOnChangesThatCleanupHasTaken() {
    server.insert(1);
    server.insert(2);
    Offset end = at(server.insert(3));
    server.purge(lsn(11));

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(BEGIN, end, null))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("from " + lsn(10))
        .hasMessageContaining("min LSN is " + lsn(11));
    assertThat(ledger.current()).isNull();
  }

  @Test
  void aBatchReplayedWithoutRowsThatTheFactsTellOfNeedsNothingOfTheServer() {
    Offset end = at(server.idle());
    server.insert(2);
    server.purge(lsn(11));
    BatchPlanner planner = planner(OnLoss.FAIL);
    assertThatThrownBy(() -> planner.plan(BEGIN, end, null)).isInstanceOf(DataLossException.class);

    ledger.toldThrough(end::lsn);
    assertThat(planner.plan(BEGIN, end, null)).isEmpty();
    assertThat(batch().measure().total()).isEqualTo(RangeMeasure.NOTHING);
  }

  @Test
  void skipsToMinLsnWithOneWarning() {
    server.insert(1);
    server.insert(2);
    Offset end = at(server.insert(3));
    server.purge(lsn(11));
    BatchPlanner planner = planner(OnLoss.SKIP);

    try (CapturedLog log = CapturedLog.of(Gaps.class)) {
      List<RangePartition> planned = planner.plan(BEGIN, end, null);
      planner.plan(BEGIN, end, null);

      assertThat(planned.get(0).range().after()).isEqualTo(lsn(11).previous());
      assertThat(log.warnings())
          .containsExactly(
              "Capture instance 'dbo_orders': skipped the changes from "
                  + lsn(10)
                  + " up to min LSN "
                  + lsn(11)
                  + " (commit time 2026-11-01T15:02 UTC): what is below it was purged by CDC"
                  + " cleanup");
    }
    assertThat(ledger.takeWarnings()).as("the event's row tells it").isEmpty();
    assertThat(batch().skips())
        .containsExactly(
            new SkippedChanges(
                "dbo_orders",
                lsn(10),
                lsn(11),
                null,
                FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3),
                null,
                LossKind.RETENTION));
  }

  @Test
  void aReplanReplacesTheSkipWithTheNewMinLsn() {
    Offset start = new Offset(server.insert(1), FakeSqlServer.EPOCH, null);
    server.insert(2);
    server.insert(3);
    Offset end = at(server.insert(4));
    BatchPlanner planner = planner(OnLoss.SKIP);
    server.purge(lsn(12));
    planner.plan(start, end, null);
    server.purge(lsn(13));
    planner.plan(start, end, null);

    assertThat(batch().skips())
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(10).next());
              assertThat(skip.to()).isEqualTo(lsn(13));
              assertThat(skip.fromTs()).isEqualTo(FakeSqlServer.EPOCH);
            });
  }

  @Test
  void tellsAGapThatHoldsSeveralBatchesOnce() {
    Offset first = at(server.insert(1));
    Offset second = at(server.insert(2));
    server.insert(3);
    server.insert(4);
    BatchPlanner planner = planner(OnLoss.SKIP);
    Poll poll = new Poll(null, server.clock());
    server.purge(lsn(12));
    planner.plan(BEGIN, first, poll);
    assertThat(batch().skips()).hasSize(1);

    planner.plan(first, second, poll);
    assertThat(batch().skips()).isEmpty();

    server.purge(lsn(13));
    planner.plan(first, second, poll);
    assertThat(batch().skips())
        .as("what has gone since")
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(12));
              assertThat(skip.to()).isEqualTo(lsn(13));
            });
  }

  @Test
  void tellsOfABatchReplayedItsOwnPartOnlySinceItsFactsMayStandThereAlready() {
    Offset first = at(server.insert(1));
    Offset second = at(server.insert(2));
    server.insert(3);
    BatchPlanner planner = planner(OnLoss.SKIP);
    server.purge(lsn(12));
    planner.plan(BEGIN, first, null);
    assertThat(batch().skips()).extracting(SkippedChanges::to).containsExactly(lsn(10).next());

    planner.plan(first, second, new Poll(null, server.clock()));
    assertThat(batch().skips())
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(10).next());
              assertThat(skip.to()).isEqualTo(lsn(12));
            });
  }

  @Test
  void namesAnInstanceThatWasCreatedAgainAsTheCause() {
    server.insert(1);
    Offset start = at(server.insert(2));
    BatchPlanner skipping = planner(OnLoss.SKIP);
    BatchPlanner failing = planner(OnLoss.FAIL);
    server.recreate(FakeSqlServer.EPOCH.plusHours(1));
    Offset end = at(server.insert(3));

    assertThatThrownBy(() -> failing.plan(start, end, null))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining(
            "the capture instance was disabled and created again: this one is of 2026-11-01T13:00"
                + " on the server's clock")
        .hasMessageContaining("A new snapshot is required");
    try (CapturedLog log = CapturedLog.of(Gaps.class)) {
      skipping.plan(start, end, null);
      assertThat(log.warnings()).singleElement().asString().contains("disabled and created again");
    }
  }

  @Test
  void plansNothingOfABatchWhollyBelowMinLsn() {
    Offset end = at(server.insert(1));
    server.insert(2);
    server.insert(3);
    server.purge(lsn(12));

    assertThat(planner(OnLoss.SKIP).plan(BEGIN, end, null)).isEmpty();
  }

  @Test
  void failsForNowWhenTheServerHasNotReachedTheEndThatThisRunHasPolled() {
    server.insert(1);
    Offset end = new Offset(lsn(11), null, FakeSqlServer.EPOCH.plusMinutes(2));

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(BEGIN, end, new Poll(null, server.clock())))
        .isInstanceOf(SourceBehindException.class);
    assertThat(server.calls()).containsExactly("planChanges");
    assertThat(ledger.current()).as("no empty batch").isNull();
  }

  @Test
  void anEmptyMapIsAnErrorThatNamesItsCauses() {
    server.emptyMap();

    assertThatThrownBy(() -> planner(OnLoss.FAIL).plan(BEGIN, at(lsn(11)), null))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("LSN map is empty now")
        .hasMessageContaining("restored")
        .hasMessageContaining("while nothing happened");
  }

  @Test
  void takesARangeForEveryPosition() {
    Offset end = at(server.insert(1, 2, 3, 4, 5, 6, 7, 8));

    List<ChangeRange> ranges =
        planner(OnLoss.FAIL).plan(BEGIN, end, null).stream().map(RangePartition::range).toList();

    for (int id = 1; id <= 8; id++) {
      var position = new io.github.mssqlcdc.lsn.ChangePosition(lsn(10), id, new Lsn(10, id), 2);
      assertThat(ranges.stream().filter(range -> Tiles.contains(range, position))).hasSize(1);
    }
  }

  private BatchMeasure measure() {
    return batch().measure();
  }

  private BatchLedger.Batch batch() {
    return Objects.requireNonNull(ledger.current());
  }

  private BatchPlanner planner(OnLoss onLoss) {
    return Fixtures.planner(server, onLoss, ledger, 3);
  }

  private static Offset at(Lsn lsn) {
    return Offset.of(lsn);
  }
}

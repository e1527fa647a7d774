package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SourceMarks;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TileLimits;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the ranges of a batch: one statement batch, the guards on what it read, and the entry in
 * the ledger. Deterministic for the same batch and server state; not thread-safe.
 */
final class BatchPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPlanner.class);
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double NANOS_PER_MILLI = 1_000_000;

  private final SqlServer server;
  private final ChangeSource source;
  private final HistoryCheck history;
  private final BatchLedger ledger;
  private final RangePlanner ranges;
  private final int partitions;
  private @Nullable String lastSkip;

  /**
   * @param partitions how many ranges a batch has at most
   */
  BatchPlanner(
      SqlServer server,
      ChangeSource source,
      HistoryCheck history,
      BatchLedger ledger,
      RangePlanner ranges,
      int partitions) {
    this.server = server;
    this.source = source;
    this.history = history;
    this.ledger = ledger;
    this.ranges = ranges;
    this.partitions = partitions;
  }

  /**
   * @param poll the one that found {@code end}; null if none did, as for a batch replayed
   */
  List<RangePartition> plan(Offset start, Offset end, @Nullable Poll poll) {
    boolean isHeld = isHeld(start, end);
    if (isHeld && source.guard().onLoss() == RetentionGuard.OnLoss.FAIL) {
      ledger.planned(start, end, 0, new BatchMeasure(null, null, null, null, null));
      return List.of();
    }
    ChangePlan plan = 
        server.planChanges(
            source.instance(),
            start.lsn(),
            end.lsn(),
            new TileLimits(partitions, ranges.floor()));
    List<ChangeRange> cut = end.lsn().isAfter(start.lsn()) ? cut(start, end, plan) : List.of();
    List<ChangeRange> planned = isHeld ? List.of() : cut;
    ServerClock clock = clock(start, end, planned, poll);
    RangeMeasure total = isHeld ? null : RangeMeasure.NOTHING;
    ledger.planned(start, end, planned.size(), marks(end, plan, clock, poll, total));
    return IntStream.range(0, planned.size())
        .mapToObj(i -> new RangePartition(start, end, i, planned.get(i), clock))
        .toList();
  }

  /** Of the poll, so that rows and end have one clock. */
  private ServerClock clock(
      Offset start, Offset end, List<ChangeRange> planned, @Nullable Poll poll) {
    if (poll != null && poll.clock() != null) {
      return poll.clock();
    }
    return planned.isEmpty() ? server.clock() : server.clock(start.lsn(), end.lsn());
  }

  private boolean isHeld(Offset start, Offset end) {
    Lsn held = ledger.held();
    return held != null && end.lsn().isAfter(start.lsn()) && !end.lsn().isAfter(held);
  }

  private List<ChangeRange> cut(Offset start, Offset end, ChangePlan plan) {
    source.guard().requireReached(plan.maxLsn(), end.lsn());
    Lsn minLsn = source.guard().lostBelow(start.lsn().next(), plan.minLsn());
    if (minLsn == null) {
      history.atPlan(start, plan.startAt());
      return ranges.plan(start.lsn(), end.lsn(), plan.tiles());
    }
    warnOfSkip(start, minLsn, utc(server.clock(), minLsn, plan.clock().retention()));
    Lsn after = minLsn.previous();
    return after.isBefore(end.lsn()) ? ranges.plan(after, end.lsn(), plan.tiles()) : List.of();
  }

  private void warnOfSkip(Offset start, Lsn minLsn, @Nullable LocalDateTime at) {
    String skip =
        "Capture instance '"
            + source.instance().name()
            + "': skipped the changes after "
            + start.lsn()
            + " up to min LSN "
            + minLsn
            + " (commit time "
            + at
            + " UTC): CDC cleanup has purged them";
    if (!skip.equals(lastSkip)) {
      lastSkip = skip;
      LOG.warn(skip);
      ledger.warn(skip);
    }
  }

  private static BatchMeasure marks(
      Offset end,
      ChangePlan plan,
      ServerClock clock,
      @Nullable Poll poll,
      @Nullable RangeMeasure total) {
    SourceMarks marks = plan.clock();
    Lsn last = plan.maxLsn() == null ? end.lsn() : plan.maxLsn();
    LocalDateTime newest = utc(clock, last, marks.newest());
    LocalDateTime now = clock.toUtc(new MapEntry(last, marks.now()));
    return new BatchMeasure(
        total,
        roundTripMs(poll),
        utc(clock, plan.minLsn(), marks.retention()),
        notBefore(end.commitTs(), newest),
        newest == null
            ? null
            : (Double) (newest.until(now, ChronoUnit.MILLIS) / MILLIS_PER_SECOND));
  }

  private static @Nullable Double roundTripMs(@Nullable Poll poll) {
    return poll == null || poll.roundTrip() == null
        ? null
        : (Double) (poll.roundTrip().toNanos() / NANOS_PER_MILLI);
  }

  private static @Nullable LocalDateTime utc(
      ServerClock clock, @Nullable Lsn lsn, @Nullable LocalDateTime local) {
    return lsn == null || local == null ? null : clock.toUtc(new MapEntry(lsn, local));
  }

  /** The map's times may step back: what the batch ends with counts as captured, too. */
  private static @Nullable LocalDateTime notBefore(
      @Nullable LocalDateTime floor, @Nullable LocalDateTime time) {
    return time == null || floor == null || !time.isBefore(floor) ? time : floor;
  }
}

package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.SourceMarks;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
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
   * @param roundTrip of the poll that found {@code end}; null if none did
   */
  List<RangePartition> plan(Offset start, Offset end, @Nullable Duration roundTrip) {
    boolean isHeld = isHeld(start, end);
    if (isHeld && source.guard().onLoss() == RetentionGuard.OnLoss.FAIL) {
      ledger.planned(start, end, 0, new BatchMeasure(null, null, null, null, null));
      return List.of();
    }
    ChangePlan plan = server.planChanges(source.instance(), start.lsn(), end.lsn(), partitions);
    List<ChangeRange> planned = end.lsn().isAfter(start.lsn()) ? cut(start, end, plan) : List.of();
    if (isHeld) {
      planned = List.of();
    }
    RangeMeasure total = isHeld ? null : RangeMeasure.NOTHING;
    ledger.planned(start, end, planned.size(), marks(end, plan.clock(), roundTrip, total));
    return partitions(start, end, planned);
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
    warnOfSkip(start, minLsn, plan.clock());
    Lsn after = minLsn.previous();
    return after.isBefore(end.lsn()) ? ranges.plan(after, end.lsn(), plan.tiles()) : List.of();
  }

  private void warnOfSkip(Offset start, Lsn minLsn, SourceMarks marks) {
    String skip =
        "Capture instance '"
            + source.instance().name()
            + "': skipped the changes after "
            + start.lsn()
            + " up to min LSN "
            + minLsn
            + " (commit time "
            + utc(marks.retention())
            + " UTC): CDC cleanup has purged them";
    if (!skip.equals(lastSkip)) {
      lastSkip = skip;
      LOG.warn(skip);
      ledger.warn(skip);
    }
  }

  private BatchMeasure marks(
      Offset end, SourceMarks marks, @Nullable Duration roundTrip, @Nullable RangeMeasure total) {
    LocalDateTime newest = utc(marks.newest());
    Double lag =
        newest == null
            ? null
            : (Double) (newest.until(now(marks), ChronoUnit.MILLIS) / MILLIS_PER_SECOND);
    return new BatchMeasure(
        total,
        roundTrip == null ? null : (Double) (roundTrip.toNanos() / NANOS_PER_MILLI),
        utc(marks.retention()),
        notBefore(end.commitTs(), newest),
        lag);
  }

  private LocalDateTime now(SourceMarks marks) {
    return Objects.requireNonNull(utc(marks.now()));
  }

  private @Nullable LocalDateTime utc(@Nullable LocalDateTime local) {
    return local == null ? null : source.clock().toUtc(local);
  }

  /** The map's times may step back: what the batch ends with counts as captured, too. */
  private static @Nullable LocalDateTime notBefore(
      @Nullable LocalDateTime floor, @Nullable LocalDateTime time) {
    return time == null || floor == null || !time.isBefore(floor) ? time : floor;
  }

  private static List<RangePartition> partitions(
      Offset start, Offset end, List<ChangeRange> planned) {
    return IntStream.range(0, planned.size())
        .mapToObj(i -> new RangePartition(start, end, i, planned.get(i)))
        .toList();
  }
}

package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SourceMarks;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TileLimits;
import java.time.Duration;
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

  /** Of a batch that was committed before a crash, and whose read told nothing of it. */
  private static final String HELD =
      "its rows were committed before a restart, whether before or after cleanup took the changes"
          + " isn't known: rows may be missing";

  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double NANOS_PER_MILLI = 1_000_000;

  private final SqlServer server;
  private final ChangeSource source;
  private final HistoryCheck history;
  private final BatchLedger ledger;
  private final RangePlanner ranges;
  private final int partitions;
  private final Duration pollInterval;
  private @Nullable SkippedChanges lastSkip;
  private @Nullable String lastClockWarning;

  /**
   * @param partitions how many ranges a batch has at most
   * @param pollInterval how often a server that lags behind is asked at most
   */
  BatchPlanner(
      SqlServer server,
      ChangeSource source,
      HistoryCheck history,
      BatchLedger ledger,
      RangePlanner ranges,
      int partitions,
      Duration pollInterval) {
    this.server = server;
    this.source = source;
    this.history = history;
    this.ledger = ledger;
    this.ranges = ranges;
    this.partitions = partitions;
    this.pollInterval = pollInterval;
  }

  /**
   * @param poll the one that found {@code end}; null if none did, as for a batch replayed
   */
  List<RangePartition> plan(Offset start, Offset end, @Nullable Poll poll) {
    ledger.begun();
    boolean isHeld = isHeld(start, end);
    if (isHeld && source.guard().onLoss() == RetentionGuard.OnLoss.FAIL) {
      ledger.planned(start, end, 0, new BatchMeasure(null, null, null, null, null));
      return List.of();
    }
    ChangePlan plan = read(start, end, poll);
    Cut cut = end.lsn().isAfter(start.lsn()) ? cut(start, end, plan) : Cut.NOTHING;
    List<ChangeRange> planned = isHeld ? List.of() : cut.ranges();
    ServerClock clock = clock(start, end, planned, poll);
    warnOfClock();
    RangeMeasure total = isHeld ? null : RangeMeasure.NOTHING;
    ledger.planned(start, end, planned.size(), marks(end, plan, clock, poll, total));
    if (cut.lost() != null) {
      Lost lost = poll == null ? cut.lost().within(end) : cut.lost();
      tell(isHeld ? HELD : null, start, end, lost);
    }
    return IntStream.range(0, planned.size())
        .mapToObj(i -> new RangePartition(start, end, i, planned.get(i), clock))
        .toList();
  }

  /**
   * A server that lags behind is asked again by the port; if it stays behind the end that this run
   * has polled, the query fails and may be started again. Behind the end of a batch replayed it may
   * have been set back.
   */
  private ChangePlan read(Offset start, Offset end, @Nullable Poll poll) {
    TileLimits limits = new TileLimits(partitions, ranges.floor());
    while (true) {
      try {
        ChangePlan plan = server.planChanges(source.instance(), start.lsn(), end.lsn(), limits);
        if (end.lsn().isAfter(start.lsn())) {
          source.guard().requireReached(plan.maxLsn(), end.lsn());
        }
        return plan;
      } catch (SourceBehindException e) {
        if (poll != null || end.at() == null) {
          throw e;
        }
        history.awaitReached(server, end, pollInterval);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  /** Of the poll, so that rows and end have one clock. */
  private ServerClock clock(
      Offset start, Offset end, List<ChangeRange> planned, @Nullable Poll poll) {
    if (poll != null && poll.clock() != null) {
      return poll.clock();
    }
    return planned.isEmpty() ? server.clock() : server.clock(start.lsn(), end.lsn());
  }

  private void warnOfClock() {
    String warning = server.clockWarning();
    if (warning != null && !warning.equals(lastClockWarning)) {
      lastClockWarning = warning;
      ledger.warn(warning);
    }
  }

  private boolean isHeld(Offset start, Offset end) {
    Lsn held = ledger.held();
    return held != null && end.lsn().isAfter(start.lsn()) && !end.lsn().isAfter(held);
  }

  private Cut cut(Offset start, Offset end, ChangePlan plan) {
    Lsn minLsn = source.guard().lostBelow(start.lsn().next(), plan.minLsn(), this::cause);
    if (minLsn == null) {
      history.atPlan(start, plan.startAt());
      history.atPlan(end, plan.endAt());
      return new Cut(ranges.plan(start.lsn(), end.lsn(), plan.tiles()), null);
    }
    Lost lost = new Lost(minLsn, utc(server.clock(), minLsn, plan.clock().retention()));
    if (minLsn.isAfter(end.lsn())) {
      return new Cut(List.of(), lost);
    }
    history.atPlan(end, plan.endAt());
    return new Cut(ranges.plan(minLsn.previous(), end.lsn(), plan.tiles()), lost);
  }

  private String cause() {
    return LossCause.of(server, source.instance());
  }

  /**
   * Of a batch that lies in a gap told before only the part beyond it is told.
   *
   * @param doubt null: the changes are gone for certain
   */
  private void tell(@Nullable String doubt, Offset start, Offset end, Lost lost) {
    Lsn first = start.lsn().next();
    Lsn from = lastSkip != null && lastSkip.holds(first) ? lastSkip.to() : first;
    if (!from.isBefore(lost.minLsn())) {
      return;
    }
    SkippedChanges skip =
        new SkippedChanges(
            source.instance().name(), from, lost.minLsn(), start.commitTs(), lost.at(), doubt);
    ledger.skipped(start, end, skip);
    if (!skip.equals(lastSkip)) {
      lastSkip = skip;
      LOG.warn(
          "Capture instance '{}': {} the changes from {} up to min LSN {} (commit time {} UTC): {}",
          skip.captureInstance(),
          doubt == null ? "skipped" : "may have skipped",
          skip.from(),
          skip.to(),
          skip.toTs(),
          doubt == null ? cause() : doubt);
    }
  }

  /**
   * @param minLsn what is below it is gone
   * @param at its commit time, UTC
   */
  private record Lost(Lsn minLsn, @Nullable LocalDateTime at) {

    /**
     * What a batch replayed tells may stand in no table, if its facts were written before the
     * crash: what is gone beyond its end is for the next batch to tell.
     */
    Lost within(Offset end) {
      return minLsn.isAfter(end.lsn()) ? new Lost(end.lsn().next(), end.commitTs()) : this;
    }
  }

  /**
   * @param lost null: nothing
   */
  private record Cut(List<ChangeRange> ranges, @Nullable Lost lost) {
    static final Cut NOTHING = new Cut(List.of(), null);
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

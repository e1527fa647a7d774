package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.Gaps.Lost;
import io.github.mssqlcdc.source.stream.Instances.Part;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TileLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the ranges of a batch: one statement batch, the guards on what it read, and the entry in
 * the ledger. Deterministic for the same batch and server state; not thread-safe.
 */
final class BatchPlanner {
  /** Of a batch that was committed before a crash, and whose read told nothing of it. */
  private static final String HELD =
      "its rows were committed before a restart, whether before or after cleanup took the changes"
          + " isn't known: rows may be missing";

  private final SqlServer server;
  private final Instances instances;
  private final SchemaWatch schema;
  private final HistoryCheck history;
  private final BatchLedger ledger;
  private final RangePlanner ranges;
  private final int partitions;
  private final Duration pollInterval;
  private final Gaps gaps;
  private @Nullable String lastClockWarning;

  /**
   * @param partitions how many ranges a batch has at most of each capture instance
   * @param pollInterval how often a server that lags behind is asked at most
   */
  BatchPlanner(
      SqlServer server,
      Instances instances,
      SchemaWatch schema,
      HistoryCheck history,
      BatchLedger ledger,
      RangePlanner ranges,
      int partitions,
      Duration pollInterval) {
    this.server = server;
    this.instances = instances;
    this.schema = schema;
    this.history = history;
    this.ledger = ledger;
    this.ranges = ranges;
    this.partitions = partitions;
    this.pollInterval = pollInterval;
    this.gaps = new Gaps(ledger);
  }

  /**
   * @param poll the one that found {@code end}; null if none did, as for a batch replayed
   */
  List<RangePartition> plan(Offset start, Offset end, @Nullable Poll poll) {
    ledger.begun();
    boolean isHeld = isHeld(start, end);
    boolean isTold = poll == null && reaches(ledger.told(), start, end);
    if ((isHeld || isTold) && instances.onLoss() == RetentionGuard.OnLoss.FAIL) {
      RangeMeasure rows = isHeld ? null : RangeMeasure.NOTHING;
      ledger.planned(start, end, 0, new BatchMeasure(rows, null, null, null, null));
      return List.of();
    }
    List<Planned> parts = read(start, end, poll);
    List<Cut> cuts = end.lsn().isAfter(start.lsn()) ? cuts(start, end, parts) : List.of();
    boolean isRead = !isHeld && cuts.stream().anyMatch(cut -> !cut.ranges().isEmpty());
    ServerClock clock = clock(start, end, isRead, poll);
    List<SourceEvent> events =
        schema.judge(start, end, parts.stream().map(Planned::plan).toList(), clock);
    warnOfClock();
    List<RangePartition> ranges = isRead ? ranges(start, end, cuts, clock) : List.of();
    RangeMeasure total = isHeld ? null : RangeMeasure.NOTHING;
    ChangePlan last = parts.get(parts.size() - 1).plan();
    ledger.planned(start, end, ranges.size(), BatchMarks.of(end, last, clock, poll, total));
    for (Cut cut : cuts) {
      if (cut.lost() != null) {
        Lost lost = poll == null ? cut.lost().within(end) : cut.lost();
        gaps.tell(isHeld ? HELD : null, start, end, cut.part(), lost);
      }
    }
    ledger.happened(start, end, events);
    return ranges;
  }

  private static List<RangePartition> ranges(
      Offset start, Offset end, List<Cut> cuts, ServerClock clock) {
    List<RangePartition> ranges = new ArrayList<>();
    for (Cut cut : cuts) {
      int changeTable = cut.part().source().instance().changeTableId();
      for (ChangeRange range : cut.ranges()) {
        ranges.add(new RangePartition(start, end, ranges.size(), changeTable, range, clock));
      }
    }
    return ranges;
  }

  /**
   * A server that lags behind is asked again by the port; if it stays behind the end that this run
   * has polled, the query fails and may be started again. Behind the end of a batch replayed it may
   * have been set back.
   */
  private List<Planned> read(Offset start, Offset end, @Nullable Poll poll) {
    while (true) {
      try {
        List<Planned> parts = new ArrayList<>();
        for (Part part : instances.parts(start.lsn(), end.lsn())) {
          parts.add(new Planned(part, plan(part)));
        }
        if (parts.stream().noneMatch(part -> schema.isNews(part.plan()))) {
          return parts;
        }
      } catch (SourceBehindException e) {
        if (poll != null || end.at() == null) {
          throw e;
        }
        history.awaitReached(server, end, pollInterval);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      } catch (CdcException e) {
        if (!instances.isGoneBehind(e)) {
          throw e;
        }
      }
    }
  }

  private ChangePlan plan(Part part) {
    ChangePlan plan =
        server.planChanges(
            part.source().instance(),
            part.after(),
            part.through(),
            new TileLimits(partitions, ranges.floor()));
    if (part.through().isAfter(part.after())) {
      part.source().guard().requireReached(plan.maxLsn(), part.through());
    }
    return plan;
  }

  /** Of the poll, so that rows and end have one clock. */
  private ServerClock clock(Offset start, Offset end, boolean isRead, @Nullable Poll poll) {
    if (poll != null && poll.clock() != null) {
      return poll.clock();
    }
    return isRead ? server.clock(start.lsn(), end.lsn()) : server.clock();
  }

  private void warnOfClock() {
    String warning = server.clockWarning();
    if (warning != null && !warning.equals(lastClockWarning)) {
      lastClockWarning = warning;
      ledger.warn(warning);
    }
  }

  private boolean isHeld(Offset start, Offset end) {
    return reaches(ledger.held(), start, end);
  }

  private static boolean reaches(@Nullable Lsn done, Offset start, Offset end) {
    return done != null && end.lsn().isAfter(start.lsn()) && !end.lsn().isAfter(done);
  }

  private List<Cut> cuts(Offset start, Offset end, List<Planned> parts) {
    List<Cut> cuts = parts.stream().map(part -> cut(start, part)).toList();
    Cut first = cuts.get(0);
    if (first.lost() == null) {
      history.atPlan(start, parts.get(0).plan().startAt());
      requireSeen(start);
    }
    Lost lost = cuts.get(cuts.size() - 1).lost();
    if (lost == null || !lost.minLsn().isAfter(end.lsn())) {
      history.atPlan(end, parts.get(parts.size() - 1).plan().endAt());
    }
    return cuts;
  }

  /** The next commits may be of another past than what a snapshot has seen of them already. */
  private void requireSeen(Offset start) {
    Offset seen = history.furthest(start);
    if (!seen.equals(start)) {
      history.atStart(server, seen);
    }
  }

  private Cut cut(Offset start, Planned planned) {
    Part part = planned.part();
    ChangePlan plan = planned.plan();
    Lsn minLsn =
        part.source().guard().lostBelow(part.after().next(), plan.minLsn(), () -> cause(planned));
    if (minLsn == null) {
      return new Cut(part, ranges.plan(part.after(), part.through(), plan.tiles()), null);
    }
    Lost lost =
        new Lost(
            minLsn,
            BatchMarks.utc(server.clock(), minLsn, plan.clock().retention()),
            kind(start, planned),
            () -> cause(planned));
    return new Cut(
        part,
        minLsn.isAfter(part.through())
            ? List.of()
            : ranges.plan(minLsn.previous(), part.through(), plan.tiles()),
        lost);
  }

  private LossKind kind(Offset start, Planned planned) {
    Lsn after = planned.part().after();
    return LossCause.kind(
        server,
        after,
        after.equals(start.lsn()) ? start.at() : null,
        planned.part().source().instance(),
        planned.plan().clock().retention());
  }

  private String cause(Planned planned) {
    return LossCause.of(
        server,
        instances.before(planned.part().after()),
        planned.part().source().instance(),
        planned.plan().clock().retention());
  }

  private record Planned(Part part, ChangePlan plan) {}

  /**
   * @param lost null: nothing
   */
  private record Cut(Part part, List<ChangeRange> ranges, @Nullable Lost lost) {}
}

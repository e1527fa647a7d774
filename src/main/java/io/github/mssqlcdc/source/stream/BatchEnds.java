package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server where the next batch may end: one poll per call, and a look at the history before
 * the first. Not thread-safe.
 */
final class BatchEnds {
  private final SqlServer server;
  private final Instances instances;
  private final HistoryCheck history;
  private final Admission admission;
  private final SetBackWatch setBacks;
  private final Duration pollInterval;
  private final LongSupplier nanoTime;

  private boolean isHistoryChecked;
  private @Nullable Lsn target;
  private @Nullable Long lastBehind;
  private @Nullable Lsn maxLsn;
  private @Nullable Offset lastEnd;
  private @Nullable Poll lastPoll;

  BatchEnds(
      SqlServer server,
      Instances instances,
      HistoryCheck history,
      Admission admission,
      Duration pollInterval,
      LongSupplier nanoTime) {
    this.server = server;
    this.instances = instances;
    this.history = history;
    this.admission = admission;
    this.setBacks = new SetBackWatch(instances.asked().name());
    this.pollInterval = pollInterval;
    this.nanoTime = nanoTime;
  }

  /** From now on no batch ends after what is captured at this moment. */
  void fixTarget() {
    target = server.maxLsn().orElse(Lsn.ZERO);
  }

  /**
   * The end of the batch after {@code start}; the start itself if there is nothing to do now.
   *
   * @throws io.github.mssqlcdc.error.HistoryChangedException if the source's past isn't the one
   *     that was read
   */
  Offset next(Offset start, HeadLimits caps) {
    if (!isHistoryChecked) {
      history.atStart(server, history.furthest(start));
      isHistoryChecked = true;
    }
    if (target != null) {
      awaitTarget(start);
      if (!target.isAfter(start.lsn())) {
        return start;
      }
    }
    HeadLimits limits = new HeadLimits(target, caps.maxCommits(), caps.maxRows());
    Head head =
        instances.asking(
            start.lsn(), source -> server.head(source.instance(), start.lsn(), limits));
    maxLsn = head.maxLsn();
    Offset end = isBehind(start, head) ? start : admission.end(start, head, limits);
    Head.End found = head.end();
    if (found != null && !end.equals(start)) {
      setBacks.look(start, end, found);
    }
    lastEnd = end;
    lastPoll =
        new Poll(
            head.roundTrip().isZero() ? null : head.roundTrip(),
            found == null ? null : found.clock());
    return end;
  }

  /** The poll that gave this end; null if none of this run did. */
  @Nullable Poll pollOf(Offset end) {
    return end.equals(lastEnd) ? lastPoll : null;
  }

  /** Max LSN as polled last; null before the first poll, and when the map is empty. */
  @Nullable Lsn maxLsn() {
    return maxLsn;
  }

  /** How far capture is behind the server's clock, however idle this stream is; null if unknown. */
  @Nullable Duration captureLag() {
    return server.captureLag();
  }

  private boolean isBehind(Offset start, Head head) {
    Lsn max = head.maxLsn();
    if (max == null) {
      return true;
    }
    Offset read = history.furthest(start);
    if (!max.isBefore(read.lsn())) {
      history.reached();
      return false;
    }
    long now = nanoTime.getAsLong();
    // within the interval it may be the same poll, shared
    if (lastBehind == null || now - lastBehind >= pollInterval.toNanos()) {
      lastBehind = now;
      history.behind(read, max);
    }
    return true;
  }

  /** A single poll of a lagging replica must not end a run as if there were nothing new. */
  private void awaitTarget(Offset start) {
    Offset read = history.furthest(start);
    boolean isBehind = target != null && !target.isZero() && target.isBefore(read.lsn());
    if (isBehind && read.at() != null) {
      history.awaitReached(server, read, pollInterval);
      fixTarget();
    }
  }
}

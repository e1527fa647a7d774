package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the source still has the past that the stream has read, and what a snapshot in
 * its target has seen beyond: after a restore the same LSNs stand for other commits. The LSN map's
 * own raw time of the position tells; a position without one proves nothing. Not thread-safe.
 */
public final class HistoryCheck {
  /** A lagging replica gets so many polls to catch up. */
  static final int POLLS_BEHIND = 10;

  private static final Logger LOG = LoggerFactory.getLogger(HistoryCheck.class);

  private final String captureInstance;
  private final @Nullable Offset seen;
  private int pollsBehind;

  public HistoryCheck(String captureInstance) {
    this(captureInstance, null);
  }

  /**
   * @param seen up to where the stream's target has read the source; null: not beyond the stream
   */
  HistoryCheck(String captureInstance, @Nullable Offset seen) {
    this.captureInstance = captureInstance;
    this.seen = seen;
  }

  /** What has to be of the same past before anything is read after a position. */
  Offset furthest(Offset position) {
    return seen != null && seen.at() != null && seen.lsn().isAfter(position.lsn())
        ? seen
        : position;
  }

  /** Asks the server about a position before anything is read after it. */
  public void atStart(SqlServer server, Offset position) {
    if (position.at() == null) {
      return;
    }
    Optional<MapEntry> entry = server.mapEntry(position.lsn());
    if (entry.isPresent()) {
      requireSame(position, entry.get().at());
      return;
    }
    Optional<Lsn> maxLsn = server.maxLsn();
    if (maxLsn.isPresent() && !maxLsn.get().isBefore(position.lsn())) {
      requireRetained(position, server.captureInstance(captureInstance).startLsn());
    }
  }

  /**
   * Asks the server about a position, and waits for a server that is behind it.
   *
   * @throws HistoryChangedException if the source's past is another one, or max LSN stays below
   */
  public void requireSame(SqlServer server, Offset position, Duration pollInterval) {
    atStart(server, position);
    if (position.at() != null) {
      awaitReached(server, position, pollInterval);
    }
  }

  /**
   * Judges a position by what was read of it in planning; the retention guard has passed.
   *
   * @param mapAt the map's time of the position; null if it has no such entry
   */
  void atPlan(Offset position, @Nullable LocalDateTime mapAt) {
    if (position.at() != null) {
      requireSame(position, mapAt);
    }
  }

  /**
   * A fresh max LSN is below the position.
   *
   * @throws HistoryChangedException if it has been so for ten polls
   */
  void behind(Offset position, Lsn maxLsn) {
    if (position.at() == null || ++pollsBehind < POLLS_BEHIND) {
      return;
    }
    throw changed(position, "max LSN has stayed at " + maxLsn + " for " + pollsBehind + " polls");
  }

  /**
   * Polls until max LSN is at or above the position, or the thread is interrupted. An empty map
   * proves nothing: it ends the wait, too.
   *
   * @throws HistoryChangedException after ten polls below it
   */
  void awaitReached(SqlServer server, Offset position, Duration pollInterval) {
    while (!Thread.currentThread().isInterrupted()) {
      Optional<Lsn> max = server.maxLsn();
      if (max.isEmpty() || !max.get().isBefore(position.lsn())) {
        reached();
        return;
      }
      behind(position, max.get());
      if (pollsBehind == 1) {
        LOG.warn(
            "{}: the server's max LSN is {}, below {}, which was read before: it lags behind, or was"
                + " restored. Asking it {} times, every {}",
            captureInstance,
            max.get(),
            position.lsn(),
            POLLS_BEHIND,
            pollInterval);
      }
      try {
        Thread.sleep(pollInterval.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A fresh max LSN is at or above the position. */
  void reached() {
    pollsBehind = 0;
  }

  /**
   * Without its entry the position is either purged, which is for the guard, or of another past.
   */
  private void requireRetained(Offset position, @Nullable Lsn minLsn) {
    if (minLsn != null && !minLsn.isAfter(position.lsn().next())) {
      requireSame(position, null);
    }
  }

  private void requireSame(Offset position, @Nullable LocalDateTime mapAt) {
    if (mapAt == null) {
      throw changed(position, "the LSN map has no entry there now");
    }
    if (!mapAt.truncatedTo(ChronoUnit.MILLIS).equals(position.at())) {
      throw changed(position, "the LSN map has " + mapAt + " there now");
    }
  }

  private HistoryChangedException changed(Offset position, String found) {
    return new HistoryChangedException(
        "Cannot go on with capture instance '"
            + captureInstance
            + "' after "
            + position.lsn()
            + ": its commit was at "
            + position.at()
            + " on the server's clock when it was read, but "
            + found
            + ". The database was restored to an earlier time, or replaced by another one; a new"
            + " snapshot is required");
  }
}

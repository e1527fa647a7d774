package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Start;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.sqlserver.StartPosition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a stream without a checkpoint begins. Spark asks twice, and again when the first batch is
 * replayed; min LSN may move in between: the first answer stays. Not thread-safe.
 */
final class InitialOffset {
  private static final Logger LOG = LoggerFactory.getLogger(InitialOffset.class);

  private final SqlServer server;
  private final CaptureInstance oldest;
  private final Start start;
  private final StartLog log;
  private @Nullable Offset found;

  /**
   * @param oldest of the table's capture instances: CDC has the changes from its first LSN on
   */
  InitialOffset(SqlServer server, CaptureInstance oldest, Start start, StartLog log) {
    this.server = server;
    this.oldest = oldest;
    this.start = start;
    this.log = log;
  }

  /**
   * @throws io.github.mssqlcdc.error.CdcException CAPTURE_NOT_STARTED if the instance has no first
   *     LSN yet
   */
  Offset find() {
    if (found == null) {
      found = log.ofPlanned().orElse(null);
    }
    if (found == null) {
      found = resolve();
      log.keep(found);
      LOG.info("Capture instance '{}': a new stream starts after {}", oldest.name(), found.lsn());
    }
    return found;
  }

  /**
   * A start given as a mere LSN that the server has not reached is a slip, or another server's.
   * Below the instance's first LSN it is that of a snapshot taken before capture had run; one with
   * a time is for the history check; an empty map proves nothing.
   */
  private void requireReached(Offset offset) {
    Lsn first = oldest.startLsn();
    if (offset.at() != null || first == null || offset.lsn().isBefore(first)) {
      return;
    }
    Lsn max = server.maxLsn().orElse(offset.lsn());
    if (offset.lsn().isAfter(max)) {
      throw new SourceBehindException(
          "Cannot start capture instance '"
              + oldest.name()
              + "' after "
              + offset.lsn()
              + ": max LSN is "
              + max
              + ". Set 'startingLsn' to an LSN that this server has, or try again when a replica"
              + " has caught up");
    }
  }

  private Offset resolve() {
    if (start instanceof Start.After after) {
      requireReached(after.offset());
      return after.offset();
    }
    if (start instanceof Start.From from) {
      StartPosition position = server.startAt(oldest, from.time());
      return offset(position.after(), position.entry());
    }
    SnapshotStamp stamp = server.snapshotStamp(oldest);
    if (start instanceof Start.Earliest) {
      return Offset.of(stamp.minLsn().previous());
    }
    return offset(stamp.lsn(), stamp.entry());
  }

  private Offset offset(Lsn lsn, @Nullable MapEntry entry) {
    return entry == null ? Offset.of(lsn) : new Offset(lsn, server.commitTs(entry), entry.at());
  }
}

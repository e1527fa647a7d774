package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the commits from a time on begin, in the order of LSNs. Where the clock leaves room
 * for doubt the position lies before them: a commit too many does no harm, one too few is a gap.
 * Thread-safe.
 */
final class StartReads {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Well inside of what a datetime can hold. */
  private static final LocalDateTime LONG_AGO = LocalDateTime.of(1800, 1, 1, 0, 0);

  private static final LocalDateTime FAR_AWAY = LocalDateTime.of(9000, 1, 1, 0, 0);

  private final Database database;
  private final ClockDetector clocks;
  private final Duration timeout;

  StartReads(Database database, ClockDetector clocks, Duration timeout) {
    this.database = database;
    this.clocks = clocks;
    this.timeout = timeout;
  }

  StartPosition startAt(CaptureInstance instance, Instant time) {
    LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    LocalDateTime from = from(utc);
    Found found =
        database.query(
            new Purpose("find the changes of " + instance.name() + " from " + utc + " on", instance),
            timeout,
            ClockSql.start(instance, from),
            results -> Found.of(results.nextRow()));
    Lsn min = found.minLsn();
    if (min == null) {
      throw LsnReads.notStarted(instance);
    }
    requirePast(utc, found.now());
    requireRetained(instance, from, min, found);
    Lsn first = found.firstLsn();
    return first == null ? newest(min, found) : new StartPosition(first.previous(), null);
  }

  /** Where only the offset is known it may have been another one then. */
  private LocalDateTime from(LocalDateTime utc) {
    LocalDateTime readable =
        utc.isBefore(LONG_AGO) ? LONG_AGO : utc.isAfter(FAR_AWAY) ? FAR_AWAY : utc;
    LocalDateTime from = clocks.clock().earliestLocal(readable);
    return clocks.isOffset() ? from.minus(HOUR) : from;
  }

  /** Nothing is captured of that time yet: what capture still has to bring may be of it. */
  private static StartPosition newest(Lsn min, Found found) {
    MapEntry newest = found.newest();
    return newest == null || newest.lsn().isBefore(min.previous())
        ? new StartPosition(min.previous(), null)
        : new StartPosition(newest.lsn(), newest);
  }

  private static void requirePast(LocalDateTime utc, ServerTime now) {
    if (utc.isAfter(now.utc())) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid value '"
              + utc
              + "Z' of option 'startingTimestamp': it is in the future, the server's clock says "
              + now.utc()
              + "Z; give a time that has passed, or set 'startingLsn' to latest");
    }
  }

  /** What lies before min LSN is gone, or was never captured. */
  private void requireRetained(
      CaptureInstance instance, LocalDateTime from, Lsn min, Found found) {
    LocalDateTime minAt = found.minAt() == null ? instance.created() : found.minAt();
    Lsn first = found.firstLsn();
    if (!minAt.isAfter(from) && (first == null || !first.isBefore(min))) {
      return;
    }
    throw new DataLossException(
        "Cannot start capture instance '"
            + instance.name()
            + "' at the time that option 'startingTimestamp' asks for: its changes are there from "
            + clocks.clock().toUtc(minAt)
            + "Z (min LSN "
            + min
            + ") on. "
            + (minAt.equals(instance.created())
                ? "The instance was created then; what was changed before was never captured."
                : "What was changed before has been purged by CDC cleanup.")
            + " Set 'startingLsn' to earliest instead to begin there, or bootstrap the table");
  }

  /**
   * @param newest max LSN with its time; null when the map is empty
   * @param minLsn null if the instance has none to be seen
   * @param minAt time of the first entry from min LSN on; null if there is none
   * @param firstLsn the first entry not before the time asked for; null if there is none
   */
  private record Found(
      @Nullable MapEntry newest,
      @Nullable Lsn minLsn,
      @Nullable LocalDateTime minAt,
      @Nullable Lsn firstLsn,
      ServerTime now) {

    static Found of(ResultSet row) throws SQLException {
      Lsn max = Results.lsn(row, 1);
      LocalDateTime maxAt = Results.time(row, 2);
      return new Found(
          max == null || maxAt == null ? null : new MapEntry(max, maxAt),
          Results.lsnOrNone(row, 3),
          Results.time(row, 4),
          Results.lsn(row, 5),
          ServerTime.of(row, 6));
    }
  }
}

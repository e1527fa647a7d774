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
  private static final Instant LONG_AGO = Instant.parse("1800-01-01T00:00:00Z");

  private static final Instant FAR_AWAY = Instant.parse("9000-01-01T00:00:00Z");

  private final Database database;
  private final ClockDetector zones;
  private final ClockReads clocks;
  private final Duration timeout;

  StartReads(Database database, ClockDetector zones, ClockReads clocks, Duration timeout) {
    this.database = database;
    this.zones = zones;
    this.clocks = clocks;
    this.timeout = timeout;
  }

  StartPosition startAt(CaptureInstance instance, Instant time) {
    LocalDateTime utc = utc(time);
    LocalDateTime from = from(zones, utc);
    Found found =
        database.query(
            new Purpose(
                "find the changes of " + instance.name() + " from " + utc + " on", instance),
            timeout,
            ClockSql.start(instance, from),
            results -> Found.of(results.nextRow()));
    Lsn min = found.minLsn();
    if (min == null) {
      throw LsnReads.notStarted(instance);
    }
    requirePast(time, found.now());
    requireRetained(instance, utc, min, found);
    MapEntry first = found.first();
    return first == null
        ? newest(min, found)
        : new StartPosition(Lsn.max(first.lsn(), min).previous(), null);
  }

  static LocalDateTime utc(Instant time) {
    Instant notTooFar = time.isAfter(FAR_AWAY) ? FAR_AWAY : time;
    return LocalDateTime.ofInstant(
        notTooFar.isBefore(LONG_AGO) ? LONG_AGO : notTooFar, ZoneOffset.UTC);
  }

  /**
   * On the server's clock, to the second. Where only the offset is known it may have been another
   * one then.
   */
  static LocalDateTime from(ClockDetector zones, LocalDateTime utc) {
    LocalDateTime from = zones.clock().earliestLocal(utc);
    return zones.isOffset() ? from.minus(HOUR) : from;
  }

  /** Nothing is captured of that time yet: what capture still has to bring may be of it. */
  private static StartPosition newest(Lsn min, Found found) {
    MapEntry newest = found.newest();
    return newest == null || newest.lsn().isBefore(min.previous())
        ? new StartPosition(min.previous(), null)
        : new StartPosition(newest.lsn(), newest);
  }

  private static void requirePast(Instant time, ServerTime now) {
    if (time.isAfter(now.utc().toInstant(ZoneOffset.UTC))) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid value '"
              + time
              + "' of option 'startingTimestamp': it is in the future, the server's clock says "
              + now.utc()
              + "Z; give a time that has passed, or set 'startingLsn' to latest");
    }
  }

  /** What lies before min LSN is gone, or was never captured. */
  private void requireRetained(CaptureInstance instance, LocalDateTime utc, Lsn min, Found found) {
    LocalDateTime minAt = found.minAt() == null ? instance.created() : found.minAt();
    LocalDateTime begin = clocks.commitTs(new MapEntry(min, minAt));
    MapEntry first = found.first();
    boolean isPurged =
        first != null && first.lsn().isBefore(min) && !clocks.commitTs(first).isBefore(utc);
    if (!begin.isAfter(utc) && !isPurged) {
      return;
    }
    throw new DataLossException(
        "Cannot start capture instance '"
            + instance.name()
            + "' at the time that option 'startingTimestamp' asks for: its changes are there from "
            + begin
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
   * @param first the first entry not before the time asked for; null if there is none
   */
  private record Found(
      @Nullable MapEntry newest,
      @Nullable Lsn minLsn,
      @Nullable LocalDateTime minAt,
      @Nullable MapEntry first,
      ServerTime now) {

    static Found of(ResultSet row) throws SQLException {
      return new Found(
          entry(row, 1),
          Results.lsnOrNone(row, 3),
          Results.time(row, 4),
          entry(row, 5),
          ServerTime.of(row, 7));
    }

    private static @Nullable MapEntry entry(ResultSet row, int column) throws SQLException {
      Lsn lsn = Results.lsn(row, column);
      LocalDateTime at = Results.time(row, column + 1);
      return lsn == null || at == null ? null : new MapEntry(lsn, at);
    }
  }
}

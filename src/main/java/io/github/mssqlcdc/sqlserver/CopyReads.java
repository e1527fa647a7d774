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
 * Finds where a copy of the table ends that was begun at a time: a position up to which it has
 * every commit for sure. Where the clocks leave room for doubt the position is an earlier one: a
 * commit that the copy has already does no harm when it is read again, one too few is a gap.
 * Thread-safe.
 */
final class CopyReads {
  private final Database database;
  private final ClockDetector zones;
  private final ClockReads clocks;
  private final Duration timeout;

  CopyReads(Database database, ClockDetector zones, ClockReads clocks, Duration timeout) {
    this.database = database;
    this.zones = zones;
    this.clocks = clocks;
    this.timeout = timeout;
  }

  StartPosition position(CaptureInstance instance, Instant asOf, Duration margin) {
    LocalDateTime safe = StartReads.utc(asOf).minus(margin);
    LocalDateTime from = StartReads.from(zones, safe);
    Found found =
        database.query(
            new Purpose("find the last change of " + instance.name() + " at " + asOf, instance),
            timeout,
            ClockSql.copy(instance, from),
            results -> Found.of(results.nextRow()));
    Lsn min = found.minLsn();
    if (min == null) {
      throw LsnReads.notStarted(instance);
    }
    requirePast(asOf, margin, found.now());
    MapEntry last = found.last();
    boolean isCreation =
        last != null && last.lsn().equals(min) && last.at().equals(instance.created());
    if (last != null && !isCreation && !last.lsn().isBefore(min.previous())) {
      return new StartPosition(last.lsn(), last);
    }
    if (isWhole(instance, from, min, found)) {
      return new StartPosition(min.previous(), null);
    }
    throw lost(instance, asOf.toString(), min, found.minAt());
  }

  /** Nothing was purged of an instance that was there when the copy was begun. */
  private static boolean isWhole(
      CaptureInstance instance, LocalDateTime from, Lsn min, Found found) {
    return instance.created().equals(found.minAt())
        && !instance.created().isAfter(from)
        && (found.end() == null || found.end().isAfter(min));
  }

  private static void requirePast(Instant asOf, Duration margin, ServerTime now) {
    if (asOf.isAfter(now.utc().toInstant(ZoneOffset.UTC).plus(margin))) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid asOf "
              + asOf
              + ": it is in the future, the server's clock says "
              + now.utc()
              + "Z; give the time at which the copy was begun");
    }
  }

  private DataLossException lost(
      CaptureInstance instance, String asOf, Lsn min, @Nullable LocalDateTime minAt) {
    String since = minAt == null ? "" : " (" + clocks.commitTs(new MapEntry(min, minAt)) + "Z)";
    return new DataLossException(
        "Cannot seed from a copy as of "
            + asOf
            + ": CDC has the changes of "
            + instance.description()
            + " from min LSN "
            + min
            + since
            + " on, and changes between the copy and there may be missing: the copy is older than"
            + " the retention of CDC, or than the capture instance. Nothing was written. Seed a"
            + " newer copy");
  }

  /**
   * @param minLsn null if the instance has none to be seen
   * @param minAt time of the entry at min LSN; null if there is none
   * @param end the first entry that doesn't count; null: all do
   * @param last the last entry that counts; null if there is none
   */
  private record Found(
      @Nullable Lsn minLsn,
      @Nullable LocalDateTime minAt,
      @Nullable Lsn end,
      @Nullable MapEntry last,
      ServerTime now) {

    static Found of(ResultSet row) throws SQLException {
      Lsn last = Results.lsn(row, 4);
      LocalDateTime lastAt = Results.time(row, 5);
      return new Found(
          Results.lsnOrNone(row, 1),
          Results.time(row, 2),
          Results.lsn(row, 3),
          last == null || lastAt == null ? null : new MapEntry(last, lastAt),
          ServerTime.of(row, 6));
    }
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.CaptureWatch.Newest;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the LSN map: max LSN, single entries, the stamp of a snapshot. */
final class LsnReads {
  /**
   * Commits are read under READ COMMITTED, whatever the connection's properties say: the map and
   * the change tables get a scan's rows in one transaction, and half of one must not be seen.
   */
  static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;";

  private final Database database;
  private final MaxLsnPoll poll;
  private final CaptureWatch capture;
  private final ClockDetector clocks;
  private final Duration timeout;

  LsnReads(
      Database database,
      MaxLsnPoll poll,
      CaptureWatch capture,
      ClockDetector clocks,
      Duration timeout) {
    this.database = database;
    this.poll = poll;
    this.capture = capture;
    this.clocks = clocks;
    this.timeout = timeout;
  }

  Optional<Lsn> maxLsn() {
    Batch batch =
        Batch.of(READ_COMMITTED)
            .add("DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();")
            .add("SELECT @max AS max_lsn, " + CaptureWatch.COLUMNS + ";");
    Newest newest =
        database.query(
            new Purpose("read max LSN", null),
            timeout,
            batch,
            results -> {
              long sentAt = poll.now();
              ResultSet row = results.nextRow();
              Lsn max = Results.lsn(row, 1);
              poll.publish(max, sentAt);
              return newest(max, row, 2);
            });
    capture.observe(newest);
    return Optional.ofNullable(newest.max());
  }

  /**
   * @param column the first of the two columns of {@link CaptureWatch#COLUMNS}
   */
  static Newest newest(@Nullable Lsn max, ResultSet row, int column) throws SQLException {
    return new Newest(
        max, Results.time(row, column), Objects.requireNonNull(Results.time(row, column + 1)));
  }

  Optional<MapEntry> mapEntry(Lsn lsn) {
    Batch batch =
        Batch.of(READ_COMMITTED)
            .add("DECLARE @lsn binary(10) = ?;", lsn)
            .add("SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @lsn;");
    return database.query(
        new Purpose("read the LSN map at " + lsn, null),
        timeout,
        batch,
        results -> {
          ResultSet row = results.next();
          return row.next()
              ? Optional.ofNullable(entry(lsn, Results.time(row, 1)))
              : Optional.empty();
        });
  }

  Optional<MapEntry> lastMapEntry(Lsn lsn) {
    Batch batch =
        Batch.of(READ_COMMITTED)
            .add("DECLARE @lsn binary(10) = ?;", lsn)
            .add("SELECT TOP (1) start_lsn, tran_end_time FROM cdc.lsn_time_mapping")
            .add("WHERE start_lsn <= @lsn ORDER BY start_lsn DESC;");
    return database.query(
        new Purpose("read the LSN map up to " + lsn, null),
        timeout,
        batch,
        results -> {
          ResultSet row = results.next();
          return row.next()
              ? Optional.ofNullable(
                  entry(Objects.requireNonNull(Results.lsn(row, 1)), Results.time(row, 2)))
              : Optional.empty();
        });
  }

  SnapshotStamp snapshotStamp(CaptureInstance instance) {
    Batch batch =
        Batch.of(READ_COMMITTED)
            .add("DECLARE @max binary(10) = sys.fn_cdc_get_max_lsn();")
            .add("SELECT @max AS max_lsn, sys.fn_cdc_get_min_lsn(?) AS min_lsn,", instance.name())
            .add(
                "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @max) AS commit_at,")
            .add(ServerTime.COLUMNS + ";");
    Stamped stamped =
        database.query(
            new Purpose("record the LSN of a snapshot of " + instance.name(), instance),
            timeout,
            batch,
            results -> {
              long sentAt = poll.now();
              ResultSet row = results.nextRow();
              Lsn max = Results.lsn(row, 1);
              poll.publish(max, sentAt);
              return new Stamped(
                  stamp(max, Results.lsnOrNone(row, 2), Results.time(row, 3)),
                  ServerTime.of(row, 4));
            });
    if (stamped.stamp() == null) {
      throw notStarted(instance);
    }
    clocks.observe(stamped.now());
    return stamped.stamp();
  }

  private record Stamped(@Nullable SnapshotStamp stamp, ServerTime now) {}

  private static @Nullable SnapshotStamp stamp(
      @Nullable Lsn max, @Nullable Lsn min, @Nullable LocalDateTime at) {
    if (min == null) {
      return null;
    }
    // a new instance may begin above max LSN: nothing of it is captured yet
    Lsn beforeFirst = min.previous();
    return max == null || max.isBefore(beforeFirst)
        ? new SnapshotStamp(beforeFirst, null, max, min)
        : new SnapshotStamp(max, entry(max, at), max, min);
  }

  private static @Nullable MapEntry entry(Lsn lsn, @Nullable LocalDateTime at) {
    return at == null ? null : new MapEntry(lsn, at);
  }

  static CdcException notStarted(CaptureInstance instance) {
    return new CdcException(
        ErrorCode.CAPTURE_NOT_STARTED,
        "Cannot read capture instance "
            + instance.name()
            + ": it has no first LSN yet. Retry once"
            + " the capture job has run; if it has, the instance was disabled or the login may not"
            + " read it");
  }
}

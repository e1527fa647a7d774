package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that the library asks of a SQL Server database. Each call is one statement batch on a pooled
 * connection unless it says otherwise; none writes, none holds a lock beyond the row or page being
 * read.
 *
 * <p>Thread-safe. Every call may throw {@link io.github.mssqlcdc.error.MissingGrantException} and
 * {@link io.github.mssqlcdc.error.CdcException} (connection, CDC disabled, a failed statement);
 * transient failures have been retried by then.
 */
public interface SqlServer {

  /** Name of the column of every change table that holds the update mask. */
  String UPDATE_MASK = "__$update_mask";

  /**
   * The capture instance of this name: an exact match first, then ignoring case.
   *
   * @throws InvalidRequestException if there is none, or several that differ in case only; the
   *     message lists the candidates
   */
  CaptureInstance captureInstance(String name);

  /** Min LSN of an instance now: cleanup moves it. Null: capture hasn't seen the instance yet. */
  default @Nullable Lsn minLsn(CaptureInstance instance) {
    return captureInstance(instance.name()).startLsn();
  }

  /**
   * The capture instances of a table, found as {@link #captureInstance} finds one of them. The name
   * that CDC gives a table's instance by default leads to its newest one where there is none called
   * so.
   *
   * @throws InvalidRequestException as {@link #captureInstance}
   */
  TableInstances tableInstances(String name);

  /** The capture instances of all tables that the login may see, in no order. */
  List<CaptureInstance> captureInstances();

  /** The capture instances that the table of this one has now, the older first; none any more. */
  List<CaptureInstance> instancesOf(CaptureInstance instance);

  /** Whether there is a capture instance of this name, and it is of the same table as another. */
  default boolean isInstanceOf(String name, CaptureInstance other) {
    if (name.equals(other.name())) {
      return true;
    }
    try {
      return captureInstance(name).sourceTableId() == other.sourceTableId();
    } catch (InvalidRequestException e) {
      return false;
    }
  }

  /**
   * Whether there is a capture instance of this name, and it is of another table. The name of one
   * that was disabled may be of any.
   */
  default boolean isInstanceOfAnother(String name, CaptureInstance other) {
    try {
      return !name.equals(other.name())
          && captureInstance(name).sourceTableId() != other.sourceTableId();
    } catch (InvalidRequestException e) {
      return false;
    }
  }

  /** When the instance's source table was created, on the server's clock; empty if not told. */
  Optional<LocalDateTime> tableCreated(CaptureInstance instance);

  /**
   * Whether partitions of the instance's table may be switched in or out, which capture doesn't
   * see: the table is partitioned, and the instance isn't known to forbid it. Only who may read
   * CDC's own tables is told the latter.
   */
  boolean maySwitchPartitions(CaptureInstance instance);

  /** DDL on the table that the instance has recorded, in the order of the log. */
  List<DdlEntry> ddlHistory(CaptureInstance instance);

  /** The instance's captured columns, by ordinal. */
  List<CapturedColumn> capturedColumns(CaptureInstance instance);

  /**
   * The server's clock. Its zone is found once; where only its offset is known, that of the newest
   * head or stamp.
   */
  ServerClock clock();

  /** What that clock can't tell, for a person; null while nothing is known to be wrong. */
  @Nullable String clockWarning();

  /** The clock for the map's entries of (after, through], where no head has told it. */
  ServerClock clock(Lsn after, Lsn through);

  /** The commit time of an entry, UTC; nothing is sent unless it lies in an hour that repeats. */
  LocalDateTime commitTs(MapEntry entry);

  /**
   * Where the commits at or after this time begin; some before it may follow the position, too.
   *
   * @throws io.github.mssqlcdc.error.DataLossException if the instance has them from a later time
   *     on only
   * @throws InvalidRequestException if the server's clock hasn't reached the time
   * @throws io.github.mssqlcdc.error.CdcException CAPTURE_NOT_STARTED if the instance has no first
   *     LSN yet
   */
  StartPosition startAt(CaptureInstance instance, Instant time);

  /**
   * A position up to which a copy of the source table has every commit, given when it was begun.
   *
   * @param asOf by a clock that may differ from the server's by the margin
   * @throws io.github.mssqlcdc.error.DataLossException if the instance no longer has every change
   *     after it
   * @throws InvalidRequestException if the server's clock hasn't reached the time
   * @throws io.github.mssqlcdc.error.CdcException CAPTURE_NOT_STARTED if the instance has no first
   *     LSN yet
   */
  StartPosition copyAt(CaptureInstance instance, Instant asOf, Duration margin);

  /** Max LSN, always read anew; empty when the LSN map is. */
  Optional<Lsn> maxLsn();

  /**
   * How far the newest commit captured in the database lies behind the server's clock, by the last
   * head or max LSN that any client of the JVM has read, and the time since. Sends nothing; null if
   * unknown.
   */
  @Nullable Duration captureLag();

  /** The entry at this LSN; empty if the map has none. */
  Optional<MapEntry> mapEntry(Lsn lsn);

  /** The last entry at or before this LSN; empty if the map has none. */
  Optional<MapEntry> lastMapEntry(Lsn lsn);

  /**
   * The LSN of a snapshot taken now: the larger of max LSN and the instance's first LSN minus one.
   * The entry's time is that of the map, absent if the LSN isn't in it.
   *
   * @throws io.github.mssqlcdc.error.CdcException CAPTURE_NOT_STARTED if the instance has no first
   *     LSN yet
   */
  SnapshotStamp snapshotStamp(CaptureInstance instance);

  /**
   * Where a batch that starts after this LSN may end. A second statement batch follows only where
   * the times up to there touch an hour that repeats.
   */
  Head head(CaptureInstance instance, Lsn after, HeadLimits limits);

  /** Counts the rows of (after, through] in tiles of equal row counts. */
  ChangePlan planChanges(CaptureInstance instance, Lsn after, Lsn through, TileLimits limits);

  /**
   * Reads change rows, resumed by position where a read breaks, in the order of {@link
   * io.github.mssqlcdc.lsn.ChangePosition}. The row's columns: {@code __$start_lsn}, {@code
   * __$command_id}, {@code __$seqval}, {@code __$operation}, the raw commit time of the map, then
   * the captured columns asked for.
   *
   * @param columns captured columns, {@link #UPDATE_MASK} among them or not, in order
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN is below the range's end
   */
  RangeReader readChanges(CaptureInstance instance, ChangeRange range, List<SelectColumn> columns);

  /**
   * The smallest and the largest key of the source table in each range of an integer column, in
   * order; none for a range without keys.
   */
  List<KeyExtent> keyExtents(CaptureInstance instance, List<KeyRange> ranges);

  /**
   * The ends of a key of the source table. As all that plans chunks it takes as long as it takes.
   *
   * @param stampedMaxLsn the max LSN that was read when S was taken; null: no check
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN is below it
   */
  KeyEnds keyEnds(CaptureInstance instance, List<KeyColumn> columns, @Nullable Lsn stampedMaxLsn);

  /** Counts the rows of the source table in each slice that has any, by slice. */
  List<SliceCount> countSlices(CaptureInstance instance, SliceGrid grid);

  /**
   * Counts the source table's rows and sums its key, in each bucket that has any; it takes as long
   * as a scan of an index takes.
   *
   * @param grid null: the whole table is one bucket
   */
  List<BucketCount> countBuckets(CaptureInstance instance, @Nullable BucketGrid grid);

  /** What the server believes the source table to hold; empty if it doesn't tell. */
  Optional<TableSize> tableSize(CaptureInstance instance);

  /**
   * The key of the row of the source table that so many others come before; empty if there are no
   * more than that. It reads as many keys of each piece of the key, no more.
   */
  Optional<KeyBound> seekKey(CaptureInstance instance, KeySeek seek);

  /**
   * Reads current rows of the source table, its columns in the order asked for. A read that breaks
   * is resumed where the part has an order, whose columns are among those asked for.
   *
   * @param stampedMaxLsn the max LSN that the driver read when it took the stamp; null: no check
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN is below it
   */
  RangeReader readTable(
      CaptureInstance instance,
      List<SelectColumn> columns,
      TablePart part,
      @Nullable Lsn stampedMaxLsn);

  /**
   * @param lsn the stamp
   * @param entry the map's entry at the stamp; null if it has none
   * @param maxLsn max LSN as read with it; null when the map is empty
   * @param minLsn the instance's first LSN
   */
  record SnapshotStamp(Lsn lsn, @Nullable MapEntry entry, @Nullable Lsn maxLsn, Lsn minLsn) {}
}

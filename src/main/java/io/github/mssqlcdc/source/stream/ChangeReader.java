package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.source.row.ChangeHeader;
import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.sqlserver.RowCursor;
import io.github.mssqlcdc.sqlserver.RowCursor.Tail;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one range on a connection of its own. After the last row it makes sure that cleanup has
 * taken none of the range meanwhile, then reports what it measured. Not thread-safe.
 */
final class ChangeReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeReader.class);

  private final ChangeSource source;
  private final RangePartition partition;
  private final RangeReports reports;
  private final ChangeHeader header;
  private final ColumnarRows rows;
  private @Nullable RowCursor cursor;
  private long nanos;
  private boolean isDone;

  ChangeReader(ChangeSource source, RangePartition partition, RangeReports reports) {
    this.source = source;
    this.partition = partition;
    this.reports = reports;
    this.header =
        new ChangeHeader(source.instance().name(), source.layout(), partition.commitTimes());
    this.rows = new ColumnarRows(source.layout(), header, source.fetchSize());
  }

  @Override
  public boolean next() {
    if (isDone) {
      return false;
    }
    long began = System.nanoTime();
    try {
      RowCursor open = open();
      if (rows.next(open)) {
        return true;
      }
      isDone = true;
      Tail tail = open.tail();
      SkippedChanges skip = lost(tail);
      nanos += System.nanoTime() - began;
      began = System.nanoTime();
      reports.add(
          new RangeReport(
              partition, header.measure(rows.bytes(), seconds(), tail.networkWaitMs()), skip));
      return false;
    } catch (SQLException e) {
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Failed to read the changes "
              + partition.range()
              + " of capture instance '"
              + source.instance().name()
              + "': "
              + e.getMessage(),
          e);
    } finally {
      nanos += System.nanoTime() - began;
    }
  }

  @Override
  public ColumnarBatch get() {
    return rows.batch();
  }

  @Override
  public void close() {
    try {
      if (cursor != null) {
        cursor.close();
      }
    } finally {
      rows.close();
    }
  }

  private RowCursor open() {
    if (cursor == null) {
      cursor =
          source
              .connector()
              .connect()
              .readChanges(
                  source.instance(), partition.range(), source.layout().selectedOfChanges());
    }
    return cursor;
  }

  /** The gap that cleanup may have torn into the range; null if nothing can be missing. */
  private @Nullable SkippedChanges lost(Tail tail) {
    Lsn from = partition.range().firstPossibleCommit();
    Lsn minLsn = source.guard().lostBelow(from, tail.minLsn(), () -> LossCause.UNKNOWN);
    if (minLsn == null) {
      return null;
    }
    LOG.warn(
        "Capture instance '{}': cleanup took changes from {} up to {} while they were read; rows"
            + " may be missing",
        source.instance().name(),
        from,
        minLsn);
    return new SkippedChanges(
        source.instance().name(),
        from,
        minLsn,
        partition.start().commitTs(),
        source
            .connector()
            .connect()
            .mapEntry(minLsn)
            .map(entry -> partition.clock().toUtc(entry))
            .orElse(null),
        "cleanup took them while they were read: rows may be missing");
  }

  private double seconds() {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }
}

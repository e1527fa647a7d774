package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ChunkMeasure;
import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.source.row.SnapshotHeader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.SQLException;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads one part of the source table on a connection of its own. Not thread-safe. */
final class SnapshotReader implements PartitionReader<ColumnarBatch> {
  private static final double NANOS = 1e9;

  private final SnapshotReaderFactory source;
  private final SnapshotPartition partition;
  private final ColumnarRows rows;
  private @Nullable RowCursor cursor;
  private boolean isDone;
  private long begun;
  private long count;

  SnapshotReader(SnapshotReaderFactory source, SnapshotPartition partition) {
    this.source = source;
    this.partition = partition;
    this.rows =
        new ColumnarRows(
            source.layout(),
            new SnapshotHeader(
                source.instance().name(),
                partition.stamp(),
                partition.commitTs(),
                partition.chunk()),
            source.fetchSize());
  }

  @Override
  public boolean next() {
    if (isDone) {
      return false;
    }
    try {
      if (rows.next(open())) {
        count += rows.batch().numRows();
        return true;
      }
      finish();
      return false;
    } catch (SQLException e) {
      throw new CdcException(
          ErrorCode.SOURCE_FAILED,
          "Failed to read table "
              + source.instance().sourceSchema()
              + "."
              + source.instance().sourceTable()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** The connection goes back at once: a task may read several chunks before it ends. */
  private void finish() throws SQLException {
    RowCursor.Tail tail = open().tail();
    isDone = true;
    ChunkReports reports = source.reports();
    Integer chunk = partition.chunk();
    if (reports != null && chunk != null) {
      Lsn high = tail.maxLsn();
      double seconds = (System.nanoTime() - begun) / NANOS;
      reports.add(
          new ChunkMeasure(
              chunk, count, rows.bytes(), seconds, high == null ? null : high.toString()));
    }
    closeCursor();
  }

  @Override
  public ColumnarBatch get() {
    return rows.batch();
  }

  @Override
  public void close() {
    try {
      closeCursor();
    } finally {
      rows.close();
    }
  }

  private void closeCursor() {
    RowCursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }

  private RowCursor open() {
    if (cursor == null) {
      begun = System.nanoTime();
      cursor =
          source
              .connector()
              .connect()
              .readTable(
                  source.instance(),
                  source.layout().selected(),
                  source.part().of(partition.range()),
                  partition.stampedMaxLsn());
    }
    return cursor;
  }
}

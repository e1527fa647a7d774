package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.source.row.SnapshotHeader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.SQLException;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads one part of the source table on a connection of its own. Not thread-safe. */
final class SnapshotReader implements PartitionReader<ColumnarBatch> {
  private final SnapshotReaderFactory source;
  private final SnapshotPartition partition;
  private final ColumnarRows rows;
  private @Nullable RowCursor cursor;
  private boolean isDone;

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
        return true;
      }
      isDone = true;
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
              .readTable(
                  source.instance(),
                  source.layout().selected(),
                  source.part().of(partition.range()),
                  partition.stampedMaxLsn());
    }
    return cursor;
  }
}

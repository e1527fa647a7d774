package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Makes the readers of a snapshot's slices.
 *
 * @param reports where chunks are measured; null: nowhere
 */
record SnapshotReaderFactory(
    Connector connector,
    CaptureInstance instance,
    RowLayout layout,
    SnapshotPart part,
    int fetchSize,
    @Nullable ChunkReports reports)
    implements PartitionReaderFactory {

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return new SnapshotReader(this, (SnapshotPartition) partition);
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("Snapshot rows are read in column batches only");
  }
}

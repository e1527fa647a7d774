package io.github.mssqlcdc.source.stream;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the readers of a batch's ranges.
 *
 * @param reports an accumulator registers itself in a task only from here; in a partition, which is
 *     deserialized before the task has its context, it would be lost silently
 */
record ChangeReaderFactory(ChangeSource source, RangeReports reports)
    implements PartitionReaderFactory {

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    return new ChangeReader(source, (RangePartition) partition, reports);
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("Change rows are read in column batches only");
  }
}

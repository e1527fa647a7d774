package io.github.mssqlcdc.source.stream;

import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the readers of a batch's ranges.
 *
 * @param sources what is read, by the ids of the change tables
 * @param reports an accumulator registers itself in a task only from here; in a partition, which is
 *     deserialized before the task has its context, it would be lost silently
 */
record ChangeReaderFactory(Map<Integer, ChangeSource> sources, RangeReports reports)
    implements PartitionReaderFactory {

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    RangePartition range = (RangePartition) partition;
    return new ChangeReader(
        Objects.requireNonNull(sources.get(range.changeTable())), range, reports);
  }

  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("Change rows are read in column batches only");
  }
}

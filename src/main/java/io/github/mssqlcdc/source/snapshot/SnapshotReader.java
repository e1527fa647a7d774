package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.source.row.RangeBatches;
import io.github.mssqlcdc.source.row.SnapshotHeader;
import io.github.mssqlcdc.sqlserver.RangeReader;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads one part of the source table on connections of its own. Not thread-safe. */
final class SnapshotReader implements PartitionReader<ColumnarBatch> {
  private final SnapshotReaderFactory source;
  private final SnapshotPartition partition;
  private final RangeBatches batches;

  SnapshotReader(SnapshotReaderFactory source, SnapshotPartition partition) {
    this.source = source;
    this.partition = partition;
    SnapshotHeader header =
        new SnapshotHeader(
            source.instance().name(), partition.stamp(), partition.commitTs(), partition.chunk());
    this.batches =
        new RangeBatches(this::open, new ColumnarRows(source.layout(), header, source.fetchSize()));
  }

  @Override
  public boolean next() {
    return batches.next();
  }

  @Override
  public ColumnarBatch get() {
    return batches.batch();
  }

  @Override
  public void close() {
    batches.close();
  }

  private RangeReader open() {
    return source
        .connector()
        .connect()
        .readTable(
            source.instance(),
            source.layout().selected(),
            source.part().of(partition.range()),
            partition.stampedMaxLsn());
  }
}

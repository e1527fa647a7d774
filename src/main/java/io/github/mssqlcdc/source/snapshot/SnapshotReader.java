package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ChunkMeasure;
import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.source.row.RangeBatches;
import io.github.mssqlcdc.source.row.SnapshotHeader;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor.Tail;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads one part of the source table on connections of its own. Not thread-safe. */
final class SnapshotReader implements PartitionReader<ColumnarBatch> {
  private static final double NANOS = 1e9;

  private final SnapshotReaderFactory source;
  private final SnapshotPartition partition;
  private final RangeBatches batches;
  private long begun;
  private long count;
  private boolean isDone;

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
    if (isDone) {
      return false;
    }
    if (batches.next()) {
      count += batches.batch().numRows();
      return true;
    }
    isDone = true;
    report();
    // the connection goes back at once: a task may read several chunks before it ends
    batches.close();
    return false;
  }

  private void report() {
    ChunkReports reports = source.reports();
    Integer chunk = partition.chunk();
    Tail tail = batches.tail();
    if (reports != null && chunk != null && tail != null) {
      Lsn high = tail.maxLsn();
      double seconds = (System.nanoTime() - begun) / NANOS;
      reports.add(
          new ChunkMeasure(
              chunk, count, batches.bytes(), seconds, high == null ? null : high.toString()));
    }
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
    begun = System.nanoTime();
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

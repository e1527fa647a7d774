package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.source.row.ChangeHeader;
import io.github.mssqlcdc.source.row.ColumnarRows;
import io.github.mssqlcdc.source.row.RangeBatches;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor.Tail;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one range on connections of its own. After the last row it makes sure that cleanup has
 * taken none of the range meanwhile, whatever pieces it was read in, then reports what it measured.
 * Not thread-safe.
 */
final class ChangeReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeReader.class);

  private final ChangeSource source;
  private final RangePartition partition;
  private final RangeReports reports;
  private final ChangeHeader header;
  private final RangeBatches batches;
  private long nanos;
  private boolean isReported;

  ChangeReader(ChangeSource source, RangePartition partition, RangeReports reports) {
    this.source = source;
    this.partition = partition;
    this.reports = reports;
    this.header =
        new ChangeHeader(source.instance().name(), source.layout(), partition.commitTimes());
    this.batches =
        new RangeBatches(this::open, new ColumnarRows(source.layout(), header, source.fetchSize()));
  }

  @Override
  public boolean next() {
    long began = System.nanoTime();
    boolean hasRows = batches.next();
    Tail tail = batches.tail();
    @Nullable SkippedChanges skip = tail == null || isReported ? null : lost(tail);
    nanos += System.nanoTime() - began;
    if (tail != null && !isReported) {
      isReported = true;
      reports.add(
          new RangeReport(
              partition, header.measure(batches.bytes(), seconds(), tail.networkWaitMs()), skip));
    }
    return hasRows;
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
        .readChanges(source.instance(), partition.range(), source.layout().selectedOfChanges());
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
        "cleanup took them while they were read: rows may be missing",
        null);
  }

  private double seconds() {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }
}

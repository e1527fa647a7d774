package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadAllAvailable;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's micro-batch engine drives: translates its calls and decides nothing itself. Used by
 * the stream's own thread only.
 */
final class MssqlCdcMicroBatchStream
    implements MicroBatchStream, SupportsTriggerAvailableNow, ReportsSourceMetrics {
  private final Instances instances;
  private final HeadLimits caps;
  private final InitialOffset initial;
  private final BatchEnds ends;
  private final BatchPlanner planner;
  private final RangeReports reports;
  private int rangesPlanned;

  /**
   * @param reports registered with Spark, which holds it weakly: the strong reference is here
   */
  MssqlCdcMicroBatchStream(
      Instances instances,
      StreamOptions options,
      InitialOffset initial,
      BatchEnds ends,
      BatchPlanner planner,
      RangeReports reports) {
    this.instances = instances;
    this.caps = new HeadLimits(null, options.maxCommitsPerBatch(), options.maxRowsPerBatch());
    this.initial = initial;
    this.ends = ends;
    this.planner = planner;
    this.reports = reports;
  }

  @Override
  public Offset initialOffset() {
    return new StreamOffset(initial.find());
  }

  @Override
  public Offset deserializeOffset(String json) {
    return new StreamOffset(io.github.mssqlcdc.offset.Offset.parse(json));
  }

  @Override
  public void prepareForTriggerAvailableNow() {
    ends.fixTarget();
  }

  /** Both caps count as one limit for Spark, which only hands it back. */
  @Override
  public ReadLimit getDefaultReadLimit() {
    Long cap = caps.maxRows() == null ? caps.maxCommits() : caps.maxRows();
    return cap == null ? ReadLimit.allAvailable() : ReadLimit.maxRows(cap);
  }

  @Override
  public Offset latestOffset(Offset start, ReadLimit limit) {
    return new StreamOffset(
        ends.next(
            StreamOffset.positionOf(start),
            limit instanceof ReadAllAvailable ? HeadLimits.NONE : caps));
  }

  @Override
  public Offset latestOffset() {
    throw new UnsupportedOperationException(
        "A source with admission control is asked with a limit");
  }

  @Override
  public @Nullable Offset reportLatestOffset() {
    Lsn maxLsn = ends.maxLsn();
    return maxLsn == null ? null : new StreamOffset(io.github.mssqlcdc.offset.Offset.of(maxLsn));
  }

  @Override
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    io.github.mssqlcdc.offset.Offset to = StreamOffset.positionOf(end);
    List<RangePartition> partitions =
        planner.plan(StreamOffset.positionOf(start), to, ends.pollOf(to));
    rangesPlanned = partitions.size();
    return partitions.toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new ChangeReaderFactory(instances.sources(), reports);
  }

  @Override
  public Map<String, String> metrics(Optional<Offset> latestConsumed) {
    Lsn maxLsn = ends.maxLsn();
    Duration lag = ends.captureLag();
    return Map.of(
        "rangesPlanned",
        String.valueOf(rangesPlanned),
        "maxLsn",
        maxLsn == null ? "" : maxLsn.toString(),
        "captureLagSeconds",
        lag == null ? "" : String.valueOf(lag.toSeconds()));
  }

  @Override
  public void commit(Offset end) {}

  @Override
  public void stop() {}

  @Override
  public String toString() {
    return "mssql_cdc[" + instances.asked().name() + "]";
  }
}

package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ChunkLedger;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The table's current rows, stamped with an LSN recorded before they are read: each action reads
 * the table anew, under a stamp of its own unless the options give one.
 */
final class SnapshotScan implements Batch, SupportsReportStatistics {
  private final SqlServer server;
  private final Connector connector;
  private final CapturedTable table;
  private final RowLayout layout;
  private final SnapshotOptions options;
  private final SnapshotPart part;
  private final @Nullable List<ChunkRange> chunks;
  private final TableSizes sizes;
  private final TableSplit split;

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if a chunk's bound is no value of its
   *     key, or a key column is unknown
   */
  SnapshotScan(
      SqlServer server,
      Connector connector,
      CapturedTable table,
      RowLayout layout,
      SnapshotPart part,
      SnapshotOptions options) {
    this.server = server;
    this.connector = connector;
    this.table = table;
    this.layout = layout;
    this.part = part;
    this.options = options;
    this.chunks = ChunkRange.of(table, options);
    this.sizes = new TableSizes(server, table.instance());
    this.split =
        new TableSplit(
            server,
            table.instance(),
            SnapshotKey.of(table.instance(), table.columns(), options.keys()),
            sizes,
            options.source().numPartitions());
  }

  @Override
  public StructType readSchema() {
    return layout.schema();
  }

  @Override
  public String description() {
    return "mssql_cdc_snapshot " + table.instance().description() + part.description();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    SnapshotPartition whole = stamped();
    List<SnapshotPartition> parts =
        chunks == null
            ? split.ranges(part.filters(), part.limit()).stream()
                .map(range -> whole.part(range, null))
                .toList()
            : chunks.stream().map(chunk -> whole.part(chunk.range(), chunk.number())).toList();
    return parts.isEmpty() && chunks == null
        ? new InputPartition[] {whole}
        : parts.toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new SnapshotReaderFactory(
        connector, table.instance(), layout, part, options.source().fetchSize(), reports());
  }

  private @Nullable ChunkReports reports() {
    String id = options.ledger();
    if (id == null) {
      return null;
    }
    ChunkReports reports = new ChunkReports(JvmRegistry.find(ChunkLedger.class, id).orElseThrow());
    SparkContext.getOrCreate().register(reports);
    return reports;
  }

  /** Of the whole table, of which conditions or chunks may leave little: Spark needs no less. */
  @Override
  public Statistics estimateStatistics() {
    return new SizeStatistics(sizes.get());
  }

  /** The stamp comes before everything else that is read. */
  private SnapshotPartition stamped() {
    Offset given = options.stamp();
    if (given != null) {
      return stamped(given.lsn(), given.commitTs(), options.stampedMaxLsn());
    }
    SnapshotStamp taken = server.snapshotStamp(table.instance());
    Lsn asked = options.lsn();
    if (asked == null || asked.equals(taken.lsn())) {
      return stamped(taken.lsn(), utc(taken.entry()), taken.maxLsn());
    }
    if (asked.isAfter(taken.lsn())) {
      throw new SourceBehindException(
          "Cannot stamp a snapshot of "
              + table.instance().description()
              + " with option 'snapshotLsn' "
              + asked
              + ": the server's max LSN is "
              + taken.lsn()
              + ", so commits up to that stamp may still be missing. A lagging replica answers so;"
              + " otherwise give an LSN that the server has reached");
    }
    return stamped(asked, utc(server.mapEntry(asked).orElse(null)), taken.maxLsn());
  }

  private static SnapshotPartition stamped(
      Lsn lsn, @Nullable LocalDateTime commitTs, @Nullable Lsn maxLsn) {
    return new SnapshotPartition(null, null, lsn, commitTs, maxLsn);
  }

  private @Nullable LocalDateTime utc(@Nullable MapEntry entry) {
    return entry == null ? null : server.commitTs(entry);
  }
}

package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The table's current rows, stamped with an LSN recorded before they are read: each action reads
 * the table anew, under a stamp of its own unless the options give one.
 */
public final class SnapshotScan implements Scan, Batch {
  private static final Set<String> INTEGERS = Set.of("tinyint", "smallint", "int", "bigint");

  private final SqlServer server;
  private final Connector connector;
  private final CapturedTable table;
  private final RowLayout layout;
  private final SnapshotOptions options;
  private final @Nullable List<ChunkRange> chunks;

  private SnapshotScan(
      SqlServer server,
      Connector connector,
      CapturedTable table,
      RowLayout layout,
      SnapshotOptions options,
      @Nullable List<ChunkRange> chunks) {
    this.server = server;
    this.connector = connector;
    this.table = table;
    this.layout = layout;
    this.options = options;
    this.chunks = chunks;
  }

  /**
   * @param schema the columns to read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance or a column is
   *     unknown, or a chunk's bound is no value of its key
   */
  public static SnapshotScan of(Connector connector, SnapshotOptions options, StructType schema) {
    SqlServer server = connector.connect();
    CapturedTable table = CapturedTable.load(server, options.source().captureInstance());
    if (options.stamp() == null) {
      ColumnWarnings.log(table, options.source().columns());
    }
    RowLayout layout = RowLayout.of(schema, table.columns()).onTable(table.columns());
    return new SnapshotScan(
        server, connector, table, layout, options, ChunkRange.of(table, options));
  }

  @Override
  public StructType readSchema() {
    return layout.schema();
  }

  @Override
  public String description() {
    return "mssql_cdc_snapshot " + table.instance().description();
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
            ? slices().stream().map(range -> whole.part(range, null)).toList()
            : chunks.stream().map(chunk -> whole.part(chunk.range(), chunk.number())).toList();
    return parts.isEmpty() && chunks == null
        ? new InputPartition[] {whole}
        : parts.toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new SnapshotReaderFactory(
        connector, table.instance(), layout, options.source().fetchSize());
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

  /** Slices of a single integer key; none where the table is read as a whole. */
  private List<KeyRange> slices() {
    KeyColumn key = integerKey();
    int count = partitions();
    return key == null || count == 1
        ? List.of()
        : KeySlices.uniform(key, server.keyExtent(table.instance(), key.name()), count);
  }

  private @Nullable KeyColumn integerKey() {
    List<String> key = table.instance().keyColumns();
    if (key.size() != 1) {
      return null;
    }
    return table.columns().stream()
        .filter(column -> column.name().equals(key.get(0)))
        .filter(column -> INTEGERS.contains(column.type().name()))
        .map(KeyColumn::of)
        .findFirst()
        .orElse(null);
  }

  private int partitions() {
    Integer given = options.source().numPartitions();
    return given == null ? SparkContext.getOrCreate().defaultParallelism() : given;
  }
}

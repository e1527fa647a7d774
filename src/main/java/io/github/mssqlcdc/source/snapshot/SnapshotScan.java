package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.source.row.Connector;
import io.github.mssqlcdc.source.row.RowLayout;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.KeySlice;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.util.ArrayList;
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

  private SnapshotScan(
      SqlServer server,
      Connector connector,
      CapturedTable table,
      RowLayout layout,
      SnapshotOptions options) {
    this.server = server;
    this.connector = connector;
    this.table = table;
    this.layout = layout;
    this.options = options;
  }

  /**
   * @param schema the columns to read
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the instance or a column is unknown
   */
  public static SnapshotScan of(Connector connector, SnapshotOptions options, StructType schema) {
    SqlServer server = connector.connect();
    CapturedTable table = CapturedTable.load(server, options.source().captureInstance());
    if (options.stamp() == null) {
      ColumnWarnings.log(table, options.source().columns());
    }
    RowLayout layout = RowLayout.of(schema, table.columns()).onTable(table.columns());
    return new SnapshotScan(server, connector, table, layout, options);
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
    List<InputPartition> partitions = new ArrayList<>();
    for (KeySlice slice : slices()) {
      partitions.add(
          new SnapshotPartition(slice, whole.stamp(), whole.commitTs(), whole.stampedMaxLsn()));
    }
    return partitions.isEmpty()
        ? new InputPartition[] {whole}
        : partitions.toArray(InputPartition[]::new);
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
      return new SnapshotPartition(null, given.lsn(), given.commitTs(), options.stampedMaxLsn());
    }
    SnapshotStamp stamp = server.snapshotStamp(table.instance());
    MapEntry entry = stamp.entry();
    return new SnapshotPartition(
        null, stamp.lsn(), entry == null ? null : server.commitTs(entry), stamp.maxLsn());
  }

  /** Slices of a single integer key; none where the table is read as a whole. */
  private List<KeySlice> slices() {
    String key = integerKey();
    int count = partitions();
    return key == null || count == 1
        ? List.of()
        : KeySlices.uniform(key, server.keyExtent(table.instance(), key), count);
  }

  private @Nullable String integerKey() {
    List<String> key = table.instance().keyColumns();
    if (key.size() != 1) {
      return null;
    }
    boolean isInteger =
        table.columns().stream()
            .filter(column -> column.name().equals(key.get(0)))
            .anyMatch(column -> INTEGERS.contains(column.type().name()));
    return isInteger ? key.get(0) : null;
  }

  private int partitions() {
    Integer given = options.source().numPartitions();
    return given == null ? SparkContext.getOrCreate().defaultParallelism() : given;
  }
}

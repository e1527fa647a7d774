package io.github.mssqlcdc.bronze;

import static io.github.mssqlcdc.delta.schema.VersionedTable.column;

import io.github.mssqlcdc.delta.table.TableDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** What bronze consists of: the source's columns, and those that the sink adds behind them. */
public final class BronzeColumns {
  public static final String CAPTURE_INSTANCE = "_capture_instance";
  public static final String START_LSN = "_start_lsn";
  public static final String SEQVAL = "_seqval";
  public static final String OPERATION = "_operation";
  public static final String COMMAND_ID = "_command_id";
  public static final String COMMIT_TS = "_commit_ts";
  public static final String UNKNOWN_COLUMNS = "_unknown_columns";
  public static final String BATCH_ID = "_batch_id";
  public static final String SNAPSHOT = "_snapshot";
  public static final String CHUNK = "_chunk";
  public static final String HISTORY = "_history";

  /** Operation of a snapshot's row. */
  public static final int SNAPSHOT_ROW = 0;

  private static final List<StructField> OF_THE_SOURCE =
      List.of(
          column(
              CAPTURE_INSTANCE,
              DataTypes.StringType,
              "Capture instance that the row was read from"),
          column(
              START_LSN,
              DataTypes.StringType,
              "LSN of the commit, 0x and 20 hex digits; in snapshot rows their stamp"),
          column(
              SEQVAL,
              DataTypes.StringType,
              "Place inside the commit, an LSN; null in snapshot rows"),
          column(
              OPERATION,
              DataTypes.IntegerType,
              "0 snapshot row, 1 delete, 2 insert, 3 before an update, 4 after it"),
          column(
              COMMAND_ID,
              DataTypes.IntegerType,
              "Order of the statement in the commit; null in snapshot rows"),
          column(COMMIT_TS, DataTypes.TimestampNTZType, "Commit time of _start_lsn, UTC"),
          column(
              UNKNOWN_COLUMNS,
              DataTypes.createArrayType(DataTypes.StringType),
              "Captured columns whose null means that this image does not carry them"),
          column(
              "_update_mask",
              DataTypes.BinaryType,
              "Columns that an update changed, as the bits that CDC keeps; null in snapshot rows"));

  private static final List<StructField> OF_THE_SINK =
      List.of(
          column(BATCH_ID, DataTypes.LongType, "Micro-batch that wrote it; null in snapshot rows"),
          column(
              SNAPSHOT,
              DataTypes.StringType,
              "LSN of the snapshot that the row belongs to; null in changes"),
          column(CHUNK, DataTypes.IntegerType, "Chunk of a chunked snapshot; else null"),
          column(
              HISTORY,
              DataTypes.IntegerType,
              "History of the source that the row belongs to; first in the order of images"));

  private BronzeColumns() {}

  /**
   * @param source schema of the source's rows
   * @param keys names of the key columns, for statistics
   */
  static TableDefinition definition(StructType source, List<String> keys) {
    List<StructField> columns = new ArrayList<>();
    for (StructField field : source.fields()) {
      columns.add(metadata(field.name()).orElse(field));
    }
    columns.addAll(OF_THE_SINK);
    StructType schema = new StructType(columns.toArray(StructField[]::new));
    return new TableDefinition(
        "Change log of a SQL Server table, append-only: its changes as CDC captured them, and"
            + " snapshots of it",
        schema,
        statistics(schema, keys),
        Map.of());
  }

  /** The metadata columns among the source's, with their comments. */
  static Stream<StructField> ofTheSource(StructType source) {
    return Arrays.stream(source.fieldNames()).flatMap(name -> metadata(name).stream());
  }

  private static Optional<StructField> metadata(String name) {
    return OF_THE_SOURCE.stream().filter(field -> field.name().equals(name)).findFirst();
  }

  private static List<String> statistics(StructType schema, List<String> keys) {
    return Arrays.stream(schema.fields())
        .filter(field -> TableDefinition.hasStatistics(field.dataType()))
        .map(StructField::name)
        .filter(name -> isMetadata(name) || keys.stream().anyMatch(name::equalsIgnoreCase))
        .toList();
  }

  /** Whether a column is one of the source's metadata or of the sink's, none of the table's own. */
  public static boolean isMetadata(String name) {
    return Stream.concat(OF_THE_SOURCE.stream(), OF_THE_SINK.stream())
        .anyMatch(field -> field.name().equals(name));
  }
}

package io.github.mssqlcdc.silver;

import static io.github.mssqlcdc.delta.schema.VersionedTable.column;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.Merge;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The current state in Delta, one row per key. Not thread-safe. */
final class SilverTable {
  /** Delta clusters by at most so many columns. */
  private static final int MOST_CLUSTERING = 4;

  private static final StructField MARKS =
      column(
          BronzeColumns.UNKNOWN_COLUMNS,
          DataTypes.createArrayType(DataTypes.StringType),
          "Columns whose null means that no image has carried their value yet");

  private static final List<StructField> OF_OURS =
      List.of(
          column(
              BronzeColumns.START_LSN,
              DataTypes.StringType,
              "LSN of the commit, or stamp of the snapshot, that the row shows"),
          column(
              BronzeColumns.COMMIT_TS,
              DataTypes.TimestampNTZType,
              "Commit time of _start_lsn, UTC"),
          column(
              BronzeColumns.HISTORY,
              DataTypes.IntegerType,
              "History of the source that _start_lsn belongs to"));

  private final LakeTable table;
  private final List<String> keys;

  SilverTable(LakeTable table, List<String> keys) {
    this.table = table;
    this.keys = List.copyOf(keys);
  }

  /**
   * How far it is; empty if it isn't there, nothing was ever applied, or an older version or
   * another table was put in its place since.
   */
  Optional<SilverNote> note() {
    return table
        .newestCommits()
        .takeWhile(commit -> !commit.isOtherTable())
        .flatMap(commit -> SilverNote.of(commit).stream())
        .findFirst();
  }

  /** The keys that it was made with last; empty if it isn't there, or nothing was ever applied. */
  Optional<List<String>> madeWith() {
    return table
        .newestCommits()
        .flatMap(commit -> SilverNote.of(commit).stream())
        .findFirst()
        .map(SilverNote::keys);
  }

  /**
   * Makes the table, or gives the one that is there the columns that bronze has by now.
   *
   * @param bronze bronze's columns
   */
  void open(StructType bronze) {
    StructType wanted = columns(bronze);
    if (table.exists()) {
      requireIsSilver();
      table.requireTakes(wanted);
    }
    VersionedTable.open(
        table,
        new TableDefinition(
            "Current state of a SQL Server table: one row per key, the latest of its change log",
            wanted,
            statistics(wanted),
            Map.of("delta.enableDeletionVectors", "true"),
            clustering(wanted)));
    if (!hasAll(table.schema(), wanted)) {
      table.changes().touch(wanted, null);
    }
  }

  private void requireIsSilver() {
    List<String> there = List.of(table.schema().fieldNames());
    boolean isBronze = there.contains(BronzeColumns.OPERATION);
    for (String name : List.of(BronzeColumns.START_LSN, BronzeColumns.HISTORY)) {
      if (isBronze || !there.contains(name)) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_TARGET,
            "Cannot keep the current state in '"
                + table.ref()
                + "': it is a table of another kind, "
                + (isBronze
                    ? "with the column " + BronzeColumns.OPERATION
                    : "without the column " + name)
                + "; give a table that applyChanges made, or a name that is free");
      }
    }
  }

  private static boolean hasAll(StructType there, StructType wanted) {
    return Arrays.stream(wanted.fields())
        .allMatch(
            field ->
                Arrays.stream(there.fields())
                    .anyMatch(
                        held ->
                            held.name().equalsIgnoreCase(field.name())
                                && held.dataType().equals(field.dataType())));
  }

  private static StructType columns(StructType bronze) {
    List<StructField> columns = new ArrayList<>();
    for (String name : BronzeRows.captured(bronze.fieldNames())) {
      columns.add(bronze.apply(name));
    }
    columns.addAll(OF_OURS);
    if (bronze.getFieldIndex(BronzeColumns.UNKNOWN_COLUMNS).isDefined()) {
      columns.add(MARKS);
    }
    return new StructType(columns.toArray(StructField[]::new));
  }

  private List<String> statistics(StructType columns) {
    return Stream.concat(
            keys.stream()
                .filter(key -> TableDefinition.hasStatistics(columns.apply(key).dataType())),
            OF_OURS.stream().map(StructField::name))
        .toList();
  }

  private List<String> clustering(StructType columns) {
    return keys.stream()
        .filter(key -> TableDefinition.hasStatistics(columns.apply(key).dataType()))
        .limit(MOST_CLUSTERING)
        .toList();
  }

  Dataset<Row> read() {
    return table.read();
  }

  SilverMerge.Marks marks() {
    return List.of(table.schema().fieldNames()).contains(BronzeColumns.UNKNOWN_COLUMNS)
        ? SilverMerge.Marks.UNKNOWN_VALUES
        : SilverMerge.Marks.NONE;
  }

  /** Puts the images that aren't deleted in place of all rows. */
  void rebuild(Dataset<Row> folded, SilverNote note) {
    table
        .changes()
        .replace(
            folded
                .where(Names.col(Names.DELETED).equalTo(false))
                .select(
                    Arrays.stream(table.schema().fieldNames())
                        .filter(name -> List.of(folded.columns()).contains(name))
                        .map(Names::col)
                        .toArray(org.apache.spark.sql.Column[]::new)),
            note.json());
  }

  void merge(Merge merge) {
    table.changes().merge(merge);
  }

  /** Says how far it is where no row has changed. */
  void move(SilverNote note) {
    table.changes().touch(table.schema(), note.json());
  }
}

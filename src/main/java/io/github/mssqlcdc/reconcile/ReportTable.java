package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.delta.table.TableDefinition;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The table that comparisons are written to. It holds key values. */
public final class ReportTable {
  static final StructType SCHEMA =
      new StructType(
          new StructField[] {
            VersionedTable.column("run_id", DataTypes.StringType, "The run"),
            VersionedTable.column("run_at", DataTypes.TimestampNTZType, "When it began, UTC"),
            VersionedTable.column(
                "silver", DataTypes.StringType, "Table compared, as the caller spelt it"),
            VersionedTable.column("silver_version", DataTypes.LongType, "Its Delta version"),
            VersionedTable.column(
                "silver_lsn", DataTypes.StringType, "Silver shows every change up to this LSN"),
            VersionedTable.column(
                "source_lsn", DataTypes.StringType, "Max LSN after the source was read"),
            VersionedTable.column(
                "bucket_lo", DataTypes.StringType, "First key as JSON; null: open"),
            VersionedTable.column(
                "bucket_hi", DataTypes.StringType, "First key above as JSON; null: open"),
            VersionedTable.column(
                "source_rows", DataTypes.LongType, "Rows of the bucket in the source"),
            VersionedTable.column(
                "silver_rows", DataTypes.LongType, "Rows of the bucket in silver"),
            VersionedTable.column(
                "source_key_sum",
                DataTypes.createDecimalType(38, 0),
                "Sum of the key in the source; null where it isn't a number or date"),
            VersionedTable.column(
                "silver_key_sum",
                DataTypes.createDecimalType(38, 0),
                "Sum of the key in silver, likewise"),
            VersionedTable.column(
                "status", DataTypes.StringType, "MATCH, MISMATCH or IN_FLIGHT; null for a chunk"),
            VersionedTable.column(
                "hashed", DataTypes.BooleanType, "Whether the rows were compared one by one"),
            VersionedTable.column(
                "key", DataTypes.StringType, "Key of a row that differs, as compact JSON"),
            VersionedTable.column(
                "failure_type", DataTypes.StringType, "What is wrong; null for a bucket"),
            VersionedTable.column("detail", DataTypes.StringType, "JSON: more about the difference")
          });

  private final LakeTable table;

  private ReportTable(LakeTable table) {
    this.table = table;
  }

  /**
   * The report table, created if there is none.
   *
   * @throws InvalidRequestException if the table there is no report table, or one of a later
   *     release
   */
  public static ReportTable open(LakeTable table) {
    if (table.exists()) {
      VersionedTable.requireColumns(
          table, List.of(SCHEMA.apply("failure_type")), "write a report to", "report table");
    }
    VersionedTable.open(
        table,
        new TableDefinition(
            "Comparisons of silver tables with their sources: a row per bucket, differing row or"
                + " chunk. It holds values of the key: give it the access policy of silver",
            SCHEMA,
            Arrays.stream(SCHEMA.fieldNames()).limit(6).toList(),
            Map.of()));
    return new ReportTable(table);
  }

  void append(List<Row> rows) {
    table.append(rows, SCHEMA);
  }
}

package io.github.mssqlcdc.control;

import io.github.mssqlcdc.delta.schema.VersionedTable;
import io.github.mssqlcdc.delta.table.Merge;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** The columns of the control table, in their order. Times are UTC, without a zone. */
enum ControlColumn {
  TABLE_NAME(DataTypes.StringType, "Table, as the caller spelt it; one row each"),
  FINALIZED_UNTIL(
      DataTypes.TimestampNTZType,
      "Verdict: no change with an earlier commit time will still arrive in the table, UTC"),
  END_LSN(DataTypes.StringType, "LSN of the position that the verdict rests on"),
  END_COMMIT_TS(DataTypes.TimestampNTZType, "Commit time of that position, UTC"),
  UPDATED_AT(DataTypes.TimestampNTZType, "When the row was last written, UTC"),
  APPLIED_LSN(DataTypes.StringType, "Silver: the table shows every change up to this LSN"),
  SNAPSHOT_LSN(DataTypes.StringType, "Silver: LSN of the snapshot that it was built from"),
  OPEN_SNAPSHOT_LSN(
      DataTypes.StringType, "Silver: LSN of the chunked snapshot that is being applied"),
  SNAPSHOT_VERSION(
      DataTypes.LongType, "Silver: version of bronze up to which that snapshot is applied"),
  HISTORY(DataTypes.IntegerType, "History of the source that the row's LSNs belong to");

  private final DataType type;
  private final String comment;

  ControlColumn(DataType type, String comment) {
    this.type = type;
    this.comment = comment;
  }

  /** The column's name in the table. */
  String columnName() {
    return name().toLowerCase(Locale.ROOT);
  }

  StructField field() {
    return VersionedTable.column(columnName(), type, comment);
  }

  Column ofTable() {
    return functions.col(Merge.TABLE + "." + columnName());
  }

  Column ofRow() {
    return functions.col(Merge.ROWS + "." + columnName());
  }
}

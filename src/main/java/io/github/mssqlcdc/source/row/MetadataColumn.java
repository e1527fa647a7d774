package io.github.mssqlcdc.source.row;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;

/** The columns that are the library's own, in their order; the captured ones stand among them. */
public enum MetadataColumn {
  CAPTURE_INSTANCE("_capture_instance", DataTypes.StringType),
  START_LSN("_start_lsn", DataTypes.StringType),
  SEQVAL("_seqval", DataTypes.StringType),
  OPERATION("_operation", DataTypes.IntegerType),
  COMMAND_ID("_command_id", DataTypes.IntegerType),
  COMMIT_TS("_commit_ts", DataTypes.TimestampNTZType),
  UNKNOWN_COLUMNS("_unknown_columns", DataTypes.createArrayType(DataTypes.StringType)),
  UPDATE_MASK("_update_mask", DataTypes.BinaryType),
  /** Behind the captured columns, where a snapshot is read in chunks. */
  CHUNK("_chunk", DataTypes.IntegerType);

  private final String columnName;
  private final DataType type;

  MetadataColumn(String columnName, DataType type) {
    this.columnName = columnName;
    this.type = type;
  }

  static Optional<MetadataColumn> find(String name) {
    return Arrays.stream(values())
        .filter(column -> column.columnName.equalsIgnoreCase(name))
        .findFirst();
  }

  DataType type() {
    return type;
  }

  StructField field() {
    return new StructField(columnName, type, true, Metadata.empty());
  }
}

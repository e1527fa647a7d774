package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.ReadColumn;
import io.github.mssqlcdc.type.ReadColumns;
import io.github.mssqlcdc.type.SqlType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns a read hands on: metadata columns and captured ones, in the schema's order.
 *
 * @param schema the rows as Spark sees them
 * @param captured the schema's fields that aren't metadata columns, in its order
 */
public record RowLayout(StructType schema, List<ReadColumn> captured) implements Serializable {
  private static final String UPDATE_MASK = "_update_mask";
  private static final String MASK_OF_CHANGE_TABLE = "__$update_mask";
  private static final CapturedColumn MASK =
      new CapturedColumn(MASK_OF_CHANGE_TABLE, 0, 0, new SqlType("varbinary", 128, 0, 0));

  /** Columns of bronze that no captured column may be called. */
  private static final Set<String> RESERVED =
      Set.of("_batch_id", "_snapshot", "_chunk", "_history", "_unknown_columns", UPDATE_MASK);

  /** Metadata columns that not every read has. */
  public enum Extra {
    COMMAND_ID,
    UPDATE_MASK,
    CHUNK
  }

  public RowLayout {
    captured = List.copyOf(captured);
  }

  /**
   * All captured columns with inferred types, behind the metadata columns.
   *
   * @throws InvalidRequestException if a captured column has a metadata column's name
   * @throws io.github.mssqlcdc.error.CdcException UNSUPPORTED_TYPE if one can't be read
   */
  public static StructType inferred(Set<Extra> extras, List<CapturedColumn> captured) {
    captured.forEach(column -> refuseReserved(column.name()));
    return schema(extras, ReadColumns.schema(ReadColumns.inferred(captured)));
  }

  /** The columns of a DDL as written there, behind the metadata columns; nothing is checked. */
  public static StructType declared(Set<Extra> extras, String ddl) {
    StructType columns = ReadColumns.parse(ddl);
    for (String name : columns.fieldNames()) {
      refuseReserved(name);
    }
    return schema(extras, columns);
  }

  /**
   * How rows of this schema are read: it may leave columns out and order them as it likes; a type
   * may be wider than the inferred one.
   *
   * @throws InvalidRequestException if a column isn't captured, or a type doesn't hold the captured
   *     one
   */
  public static RowLayout of(StructType schema, List<CapturedColumn> captured) {
    List<ReadColumn> columns = new ArrayList<>();
    for (StructField field : schema.fields()) {
      Optional<MetadataColumn> metadata = MetadataColumn.find(field.name());
      if (metadata.isPresent()) {
        requireType(field, metadata.get());
      } else if (field.name().equalsIgnoreCase(UPDATE_MASK)) {
        columns.addAll(ReadColumns.inferred(List.of(MASK)));
      } else {
        columns.addAll(ReadColumns.declared(captured, new StructType().add(field).toDDL()));
      }
    }
    return new RowLayout(schema, columns);
  }

  /** Names of the columns to ask the database for, in order. */
  public List<String> names() {
    return captured.stream().map(ReadColumn::name).toList();
  }

  private static StructType schema(Set<Extra> extras, StructType captured) {
    StructType schema = new StructType();
    for (MetadataColumn column : MetadataColumn.values()) {
      boolean isExtra = column == MetadataColumn.COMMAND_ID || column == MetadataColumn.CHUNK;
      if (!isExtra || (column == MetadataColumn.COMMAND_ID && extras.contains(Extra.COMMAND_ID))) {
        schema = schema.add(column.field());
      }
    }
    if (extras.contains(Extra.UPDATE_MASK)) {
      schema = schema.add(UPDATE_MASK, DataTypes.BinaryType);
    }
    for (StructField field : captured.fields()) {
      schema = schema.add(field);
    }
    return extras.contains(Extra.CHUNK) ? schema.add(MetadataColumn.CHUNK.field()) : schema;
  }

  private static void refuseReserved(String name) {
    if (MetadataColumn.find(name).isPresent() || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Unsupported column name '"
              + name
              + "': the library's own column is called so. List the columns to read in option"
              + " 'columns' and leave it out");
    }
  }

  private static void requireType(StructField field, MetadataColumn column) {
    if (!field.dataType().equals(column.type())) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid type "
              + field.dataType().sql()
              + " of column '"
              + field.name()
              + "': it is "
              + column.type().sql());
    }
  }
}

package io.github.mssqlcdc.type;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Which columns a query reads, and as what. */
public final class ReadColumns {
  private ReadColumns() {}

  /**
   * All captured columns, with inferred types.
   *
   * @param captured types by exact name, in order
   * @throws CdcException UNSUPPORTED_TYPE if one can't be read
   */
  public static List<ReadColumn> inferred(Map<String, SqlType> captured) {
    List<ReadColumn> columns = new ArrayList<>();
    captured.forEach(
        (name, type) -> {
          TypeMapping mapping = mapping(name, type);
          columns.add(column(name, name, mapping, mapping.sparkType().apply(type)));
        });
    return List.copyOf(columns);
  }

  /**
   * The columns of a DDL, such as {@code id BIGINT, name STRING}, named and typed as written there.
   *
   * @param captured types by exact name
   * @throws InvalidRequestException if the text isn't a DDL, or names a column twice, one that
   *     isn't captured, or one of a type that doesn't hold the captured one
   * @throws CdcException UNSUPPORTED_TYPE if a column of it can't be read
   */
  public static List<ReadColumn> declared(Map<String, SqlType> captured, String ddl) {
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    for (StructField field : parse(ddl).fields()) {
      Map.Entry<String, SqlType> column = find(captured, field.name());
      String name = column.getKey();
      TypeMapping mapping = mapping(name, column.getValue());
      DataType inferred = mapping.sparkType().apply(column.getValue());
      if (!Widening.holds(field.dataType(), inferred)) {
        throw invalid(
            ErrorCode.INVALID_OPTION,
            "Invalid type "
                + field.dataType().sql()
                + " of column '"
                + field.name()
                + "' in option 'columns': it does not hold every "
                + inferred.sql()
                + ", the type it is captured with");
      }
      if (columns.put(name, column(name, field.name(), mapping, field.dataType())) != null) {
        throw invalid(
            ErrorCode.INVALID_OPTION,
            "Invalid option 'columns': it names column '" + name + "' twice");
      }
    }
    return List.copyOf(columns.values());
  }

  /** The columns as Spark sees them. */
  public static StructType schema(List<ReadColumn> columns) {
    return new StructType(columns.stream().map(ReadColumn::field).toArray(StructField[]::new));
  }

  private static ReadColumn column(String name, String field, TypeMapping mapping, DataType type) {
    // every column of a change table is nullable, those of the key included
    return new ReadColumn(
        name, new StructField(field, type, true, Metadata.empty()), mapping.reader().apply(type));
  }

  private static TypeMapping mapping(String column, SqlType type) {
    return TypeMapping.find(type)
        .orElseThrow(
            () ->
                new CdcException(
                    ErrorCode.UNSUPPORTED_TYPE,
                    "Unsupported type "
                        + type.name()
                        + " of column '"
                        + column
                        + "': list the columns to read in option 'columns' and leave it out"));
  }

  /** An exact match first, then the only one that differs in case. */
  private static Map.Entry<String, SqlType> find(Map<String, SqlType> captured, String name) {
    SqlType exact = captured.get(name);
    if (exact != null) {
      return Map.entry(name, exact);
    }
    List<Map.Entry<String, SqlType>> matches =
        captured.entrySet().stream()
            .filter(column -> column.getKey().equalsIgnoreCase(name))
            .toList();
    if (matches.size() == 1) {
      return matches.get(0);
    }
    String captures = String.join(", ", captured.keySet());
    throw invalid(
        ErrorCode.UNKNOWN_COLUMN,
        "Unknown column '" + name + "' in option 'columns': captured are " + captures);
  }

  /**
   * The schema that a DDL describes; it isn't compared with what is captured.
   *
   * @throws InvalidRequestException if the text isn't a DDL
   */
  public static StructType parse(String ddl) {
    try {
      return StructType.fromDDL(ddl);
    } catch (Exception e) { // Spark's ParseException is checked, but Scala doesn't declare it
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid value '"
              + ddl
              + "' of option 'columns': expected column names with types, for"
              + " example 'id BIGINT, name STRING'",
          e);
    }
  }

  private static InvalidRequestException invalid(ErrorCode code, String message) {
    return new InvalidRequestException(code, message);
  }
}

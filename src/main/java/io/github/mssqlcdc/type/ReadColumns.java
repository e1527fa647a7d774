package io.github.mssqlcdc.type;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
   * @param captured in order
   * @throws CdcException UNSUPPORTED_TYPE if one can't be read
   */
  public static List<ReadColumn> inferred(List<CapturedColumn> captured) {
    List<ReadColumn> columns = new ArrayList<>();
    for (CapturedColumn column : captured) {
      TypeMapping mapping = mapping(column);
      String name = column.name();
      columns.add(column(name, name, mapping, mapping.sparkType().apply(column.type())));
    }
    return List.copyOf(columns);
  }

  /**
   * The columns of a DDL, such as {@code id BIGINT, name STRING}, named and typed as written there.
   *
   * @param captured all that may be named
   * @throws InvalidRequestException if the text isn't a DDL, or names a column twice, one that
   *     isn't captured, or one of a type that doesn't hold the captured one
   * @throws CdcException UNSUPPORTED_TYPE if a column of it can't be read
   */
  public static List<ReadColumn> declared(List<CapturedColumn> captured, String ddl) {
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    for (StructField field : parse(ddl).fields()) {
      CapturedColumn column = find(captured, field.name());
      String name = column.name();
      TypeMapping mapping = mapping(column);
      DataType inferred = mapping.sparkType().apply(column.type());
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

  private static TypeMapping mapping(CapturedColumn column) {
    return TypeMapping.find(column.type())
        .orElseThrow(
            () ->
                new CdcException(
                    ErrorCode.UNSUPPORTED_TYPE,
                    "Unsupported type "
                        + column.type().name()
                        + " of column '"
                        + column.name()
                        + "': list the columns to read in option 'columns' and leave it out"));
  }

  /** An exact match first, then the only one that differs in case. */
  private static CapturedColumn find(List<CapturedColumn> captured, String name) {
    List<CapturedColumn> matches =
        captured.stream().filter(column -> column.name().equalsIgnoreCase(name)).toList();
    for (CapturedColumn column : matches) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    if (matches.size() == 1) {
      return matches.get(0);
    }
    String captures = captured.stream().map(CapturedColumn::name).collect(Collectors.joining(", "));
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

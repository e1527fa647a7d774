package io.github.mssqlcdc.type;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Which columns a query reads, and as what. */
public final class ReadColumns {
  private ReadColumns() {}

  /**
   * All captured columns but computed ones, whose values capture doesn't record, with inferred
   * types.
   *
   * @param captured in order
   * @throws CdcException UNSUPPORTED_TYPE if one can't be read, or only on request
   */
  public static List<ReadColumn> inferred(List<CapturedColumn> captured) {
    List<ReadColumn> columns = new ArrayList<>();
    for (CapturedColumn column : captured) {
      if (column.isComputed()) {
        continue;
      }
      TypeMapping mapping = mapping(column);
      if (mapping.use() == TypeMapping.Use.ON_REQUEST || column.isEncrypted()) {
        throw new CdcException(ErrorCode.UNSUPPORTED_TYPE, onRequest(column));
      }
      columns.add(column(column, column.name(), mapping, mapping.sparkType().apply(column.type())));
    }
    return List.copyOf(columns);
  }

  /**
   * The columns of a DDL, such as {@code id BIGINT, name STRING}, named and typed as written there.
   * A computed one reads NULL.
   *
   * @param captured all that may be named
   * @throws InvalidRequestException if the text isn't a DDL, or names a column twice, one that
   *     isn't captured, or one of a type that doesn't hold the captured one
   * @throws CdcException UNSUPPORTED_TYPE if a column of it can't be read
   */
  public static List<ReadColumn> declared(List<CapturedColumn> captured, String ddl) {
    return declared(captured, parse(ddl));
  }

  /** As of a DDL; all columns become nullable. */
  public static List<ReadColumn> declared(List<CapturedColumn> captured, StructType schema) {
    Map<String, List<CapturedColumn>> byName =
        captured.stream()
            .collect(
                Collectors.groupingBy(
                    CapturedColumn::name,
                    () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
                    Collectors.toList()));
    Map<String, ReadColumn> columns = new LinkedHashMap<>();
    for (StructField field : schema.fields()) {
      requireFlat(field);
      List<CapturedColumn> matches = byName.getOrDefault(field.name(), List.of());
      CapturedColumn column = find(captured, matches, field.name());
      ReadColumn read = declared(column, field);
      if (columns.put(column.name(), hasValues(column) ? read : read.absent()) != null) {
        throw invalid(
            ErrorCode.INVALID_OPTION,
            "Invalid option 'columns': it names column '" + column.name() + "' twice");
      }
    }
    return List.copyOf(columns.values());
  }

  private static boolean hasValues(CapturedColumn column) {
    return column.isCaptured() && !column.isComputed();
  }

  /**
   * Whether values of this column, as one capture instance recorded them, read as they are in the
   * type that a newer instance recorded; types that can't be read pass.
   *
   * @return both types where they don't, the older first
   */
  public static Optional<List<String>> conflict(CapturedColumn older, CapturedColumn newer) {
    Optional<DataType> from = recorded(older);
    Optional<DataType> to = recorded(newer);
    return from.isPresent() && to.isPresent() && !Widening.holds(to.get(), from.get())
        ? Optional.of(List.of(from.get().sql(), to.get().sql()))
        : Optional.empty();
  }

  private static Optional<DataType> recorded(CapturedColumn column) {
    return TypeMapping.find(column.recorded())
        .map(mapping -> mapping.sparkType().apply(column.recorded()));
  }

  private static ReadColumn declared(CapturedColumn column, StructField field) {
    DataType type = field.dataType();
    if (column.isEncrypted()) {
      if (!type.equals(DataTypes.BinaryType)) {
        throw invalid(ErrorCode.INVALID_OPTION, onRequest(column));
      }
      return new ReadColumn(
          column.name(), nullable(field.name(), type), SelectForm.COLUMN, BytesReaders.binary());
    }
    TypeMapping mapping = mapping(column);
    if (type.equals(DataTypes.TimestampType) && column.type().isText()) {
      return new ReadColumn(
          column.name(),
          nullable(field.name(), type),
          mapping.form(),
          TimeReaders.instantOfText(column.name()));
    }
    DataType inferred = mapping.sparkType().apply(column.type());
    if (!Widening.holds(type, inferred)) {
      throw invalid(
          ErrorCode.INVALID_OPTION,
          "Invalid type "
              + type.sql()
              + " of column '"
              + field.name()
              + "' in option 'columns': it does not hold every "
              + inferred.sql()
              + ", the type it is captured with");
    }
    return column(column, field.name(), mapping, type);
  }

  /** The columns as Spark sees them. */
  public static StructType schema(List<ReadColumn> columns) {
    return new StructType(columns.stream().map(ReadColumn::field).toArray(StructField[]::new));
  }

  private static ReadColumn column(
      CapturedColumn column, String field, TypeMapping mapping, DataType type) {
    return new ReadColumn(
        column.name(), nullable(field, type), mapping.form(), mapping.reader().apply(type));
  }

  /** Every column of a change table is nullable, those of the key included. */
  private static StructField nullable(String name, DataType type) {
    return new StructField(name, type, true, Metadata.empty());
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

  private static String onRequest(CapturedColumn column) {
    return column.isEncrypted()
        ? "Unsupported column '"
            + column.name()
            + "': it is under Always Encrypted. List the columns to read in option 'columns', with"
            + " this one as BINARY to read its ciphertext, or without it"
        : "Unsupported type "
            + column.type().name()
            + " of column '"
            + column.name()
            + "': list the columns to read in option 'columns', with this one as STRING to read"
            + " its text, or without it";
  }

  /**
   * An exact match first, then the only one that differs in case.
   *
   * @param matches those of the name in any case
   */
  private static CapturedColumn find(
      List<CapturedColumn> captured, List<CapturedColumn> matches, String name) {
    for (CapturedColumn column : matches) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    if (matches.size() == 1) {
      return matches.get(0);
    }
    throw invalid(
        ErrorCode.UNKNOWN_COLUMN,
        "Unknown column '"
            + name
            + "' in option 'columns': "
            + (matches.isEmpty()
                ? "captured are " + names(captured)
                : "several differ from it in case only, write the exact name of one of "
                    + names(matches)));
  }

  private static String names(List<CapturedColumn> columns) {
    return columns.stream().map(CapturedColumn::name).collect(Collectors.joining(", "));
  }

  /**
   * The schema that a DDL describes; it isn't compared with what is captured. All columns are
   * nullable, as those of a change table are, whatever the text says; comments are dropped.
   *
   * @throws InvalidRequestException if the text isn't a DDL, or has a type that no column reads as
   */
  public static StructType parse(String ddl) {
    StructType columns = new StructType();
    for (StructField field : fields(ddl)) {
      requireFlat(field);
      columns =
          columns.add(new StructField(field.name(), field.dataType(), true, Metadata.empty()));
    }
    return columns;
  }

  private static StructField[] fields(String ddl) {
    try {
      // in a STRUCT, "name: TYPE" is allowed as well; the line's end closes a comment
      return ((StructType) DataType.fromDDL("STRUCT<" + ddl + "\n>")).fields();
    } catch (Exception e) { // Spark's ParseException is checked, but Scala doesn't declare it
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid value '"
              + ddl
              + "' of option 'columns': expected column names with types, for"
              + " example 'id BIGINT, name STRING', a name with other characters than ASCII letters,"
              + " digits and _ in backticks",
          e);
    }
  }

  private static void requireFlat(StructField field) {
    DataType type = field.dataType();
    if (type instanceof StructType || type instanceof MapType || type instanceof ArrayType) {
      throw invalid(
          ErrorCode.INVALID_OPTION,
          "Unsupported type "
              + type.sql()
              + " of column '"
              + field.name()
              + "' in option 'columns': no SQL Server type reads as STRUCT, MAP or ARRAY; give text"
              + " as STRING and parse it in Spark");
    }
  }

  private static InvalidRequestException invalid(ErrorCode code, String message) {
    return new InvalidRequestException(code, message);
  }
}

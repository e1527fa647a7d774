package io.github.mssqlcdc.backfill;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.when;

import io.github.mssqlcdc.bronze.BronzeColumns;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.offset.Offset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A copy's rows as snapshot rows of the stream. Its columns are found by name and cast to the
 * stream's types; a value that doesn't fit is an error, whatever the session's settings say.
 * Columns that it lacks are unknown.
 */
public final class SeedRows {
  private static final DataType NAMES = DataTypes.createArrayType(DataTypes.StringType);

  private final Dataset<Row> copy;
  private final StructType schema;
  private final Map<String, Column> values = new HashMap<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> misfits = new ArrayList<>();
  private final List<Column> casts = new ArrayList<>();

  /** What becomes of columns that the copy lacks. */
  public enum Missing {
    REFUSED,
    UNKNOWN
  }

  private SeedRows(Dataset<Row> copy, StructType schema) {
    this.copy = copy;
    this.schema = schema;
  }

  /**
   * @param schema of the stream's rows
   * @param columns the captured ones among them
   * @throws InvalidRequestException if the copy lacks a column, has several that may be meant, or
   *     one of a type that can't be cast
   */
  public static SeedRows of(
      Dataset<Row> copy, StructType schema, List<SeedColumn> columns, Missing missing) {
    if (copy.isStreaming()) {
      throw invalid("Cannot seed from a streaming Dataset; give one that is read as a batch");
    }
    SeedRows rows = new SeedRows(copy, schema);
    columns.forEach(rows::add);
    if (missing == Missing.REFUSED && !rows.missing.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.UNKNOWN_COLUMN,
          "The copy lacks columns "
              + rows.missing
              + " of the stream; it has "
              + Arrays.toString(copy.columns())
              + ". Give it these columns, or set allowMissingColumns(true): their values are"
              + " unknown then until a change brings them");
    }
    return rows;
  }

  private void add(SeedColumn column) {
    StructField field = column.field();
    Optional<Integer> place =
        column.source() == SeedColumn.Source.NULL ? Optional.empty() : find(field.name());
    if (place.isPresent()) {
      values.put(field.name(), cast(copy.schema().fields()[place.get()], place.get(), field));
      return;
    }
    values.put(field.name(), lit(null).cast(field.dataType()));
    if (column.source() == SeedColumn.Source.COPY) {
      missing.add(field.name());
    }
  }

  /** An exact match first, then the only one that differs in case. */
  private Optional<Integer> find(String name) {
    String[] names = copy.columns();
    List<Integer> alike =
        IntStream.range(0, names.length)
            .filter(i -> names[i].equalsIgnoreCase(name))
            .boxed()
            .toList();
    List<Integer> exact = alike.stream().filter(i -> names[i].equals(name)).toList();
    List<Integer> meant = exact.isEmpty() ? alike : exact;
    if (meant.size() > 1) {
      throw invalid(
          "The copy has several columns for column '"
              + name
              + "' of the stream: "
              + meant.stream().map(i -> names[i]).collect(Collectors.joining(", "))
              + ". Leave all but one of them out");
    }
    return meant.stream().findFirst();
  }

  /**
   * Under ANSI rules, even where the session has turned them off and a number would wrap around.
   */
  private Column cast(StructField from, int place, StructField to) {
    Column value = col(name(place));
    if (from.dataType().equals(to.dataType())) {
      return value;
    }
    String conversion =
        to.name() + "' of the copy from " + from.dataType().sql() + " to " + to.dataType().sql();
    if (isNested(from.dataType())) {
      throw uncastable(conversion, null);
    }
    String misfit = "Cannot cast a value of column '" + conversion + ": it doesn't fit";
    misfits.add(misfit);
    Column cast = value.try_cast(to.dataType());
    requireAllowed(cast, conversion);
    Column refused = when(value.isNotNull(), raise_error(lit(misfit)).cast(to.dataType()));
    Column checked = coalesce(cast, refused);
    casts.add(checked);
    return checked;
  }

  private static boolean isNested(DataType type) {
    return type instanceof StructType || type instanceof MapType || type instanceof ArrayType;
  }

  private void requireAllowed(Column cast, String conversion) {
    try {
      var unused = byPlace().select(cast).schema();
    } catch (Exception e) { // AnalysisException is checked, but Scala doesn't declare it
      if (e instanceof AnalysisException) {
        throw uncastable(conversion, e);
      }
      throw e;
    }
  }

  private static InvalidRequestException uncastable(String conversion, @Nullable Exception cause) {
    return new InvalidRequestException(
        ErrorCode.INVALID_OPTION,
        "Cannot cast column '" + conversion + ". Give it that type, or leave it out",
        cause);
  }

  /** Names may hold anything, and several be one for Spark. */
  private Dataset<Row> byPlace() {
    return copy.toDF(
        IntStream.range(0, copy.columns().length).mapToObj(SeedRows::name).toArray(String[]::new));
  }

  private static String name(int place) {
    return "c" + place;
  }

  /** The schema of the rows: the stream's, with the unknown columns if there are any. */
  public StructType schema() {
    return new StructType(fields().toArray(StructField[]::new));
  }

  private List<StructField> fields() {
    List<StructField> fields = new ArrayList<>(List.of(schema.fields()));
    boolean isThere = List.of(schema.fieldNames()).contains(BronzeColumns.UNKNOWN_COLUMNS);
    if (!missing.isEmpty() && !isThere) {
      fields.add(
          schema.fieldIndex("_commit_ts") + 1,
          DataTypes.createStructField(BronzeColumns.UNKNOWN_COLUMNS, NAMES, true));
    }
    return fields;
  }

  /** Columns of the stream that the copy lacks. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  Dataset<Row> copy() {
    return copy;
  }

  /** The rows, stamped. */
  Dataset<Row> stamped(String captureInstance, Offset stamp) {
    return byPlace()
        .select(
            fields().stream()
                .map(
                    field ->
                        values
                            .getOrDefault(field.name(), metadata(field, captureInstance, stamp))
                            .as(field.name()))
                .toArray(Column[]::new));
  }

  /** Reads the values that have to be cast, and no others: one that doesn't fit fails the read. */
  void readCasts() {
    if (!casts.isEmpty()) {
      byPlace()
          .select(casts.toArray(Column[]::new))
          .write()
          .format("noop")
          .mode("overwrite")
          .save();
    }
  }

  private Column metadata(StructField field, String captureInstance, Offset stamp) {
    Column value =
        switch (field.name()) {
          case BronzeColumns.CAPTURE_INSTANCE -> lit(captureInstance);
          case BronzeColumns.START_LSN -> lit(stamp.lsn().toString());
          case BronzeColumns.OPERATION -> lit(BronzeColumns.SNAPSHOT_ROW);
          case BronzeColumns.COMMIT_TS -> lit(stamp.commitTs());
          case BronzeColumns.UNKNOWN_COLUMNS ->
              missing.isEmpty()
                  ? lit(null)
                  : array(missing.stream().map(name -> lit(name)).toArray(Column[]::new));
          default -> lit(null);
        };
    return value.cast(field.dataType());
  }

  /**
   * What a failed read of the rows says of a value that can't be cast; null: it is something else.
   */
  @Nullable String misfit(Throwable failure) {
    return Stream.iterate(failure, e -> e != null, Throwable::getCause)
        .limit(50)
        .flatMap(e -> Stream.ofNullable(e.getMessage()))
        .flatMap(message -> misfits.stream().filter(message::contains))
        .findFirst()
        .orElse(null);
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_OPTION, message);
  }
}

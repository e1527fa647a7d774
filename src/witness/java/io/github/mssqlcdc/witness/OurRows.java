package io.github.mssqlcdc.witness;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** One table as this library reads it: a stream that goes on where it stopped, and snapshots. */
final class OurRows {
  private static final String UNKNOWN_COLUMNS = "_unknown_columns";
  private static final int DELETE = 1;
  private static final int INSERT = 2;
  private static final int BEFORE = 3;
  private static final int AFTER = 4;

  private final TestDatabase database;
  private final String table;
  private final Path checkpoint;
  private final List<Map<String, String>> rows = new ArrayList<>();

  OurRows(TestDatabase database, String table, Path folder) {
    this.database = database;
    this.table = table;
    this.checkpoint = folder.resolve(table);
  }

  /** Reads what has come since the last call. */
  void readOn() throws Exception {
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(texts(batch));
    TestSession.get()
        .readStream()
        .format("mssql_cdc")
        .options(options())
        .load()
        .writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", checkpoint.toUri().toString())
        .foreachBatch(collect)
        .start()
        .awaitTermination();
  }

  /** The table as it is. */
  List<Map<String, String>> snapshot() {
    return texts(TestSession.get().read().format("mssql_cdc_snapshot").options(options()).load())
        .stream()
        .map(OurRows::image)
        .toList();
  }

  /** Everything read so far, an update's two rows as one change. */
  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    Map<String, String> before = null;
    for (Map<String, String> row : rows) {
      int operation = Integer.parseInt(String.valueOf(row.get("_operation")));
      switch (operation) {
        case DELETE -> changes.add(change(row, "d", image(row), null));
        case INSERT -> changes.add(change(row, "c", null, image(row)));
        case BEFORE -> before = image(row);
        case AFTER -> changes.add(change(row, "u", before, image(row)));
        default -> throw new IllegalStateException("Operation " + operation);
      }
    }
    return changes;
  }

  private Change change(
      Map<String, String> row,
      String operation,
      @Nullable Map<String, String> before,
      @Nullable Map<String, String> after) {
    return new Change(
        table,
        String.valueOf(row.get("_start_lsn")),
        String.valueOf(row.get("_seqval")),
        operation,
        before,
        after);
  }

  private static Map<String, String> image(Map<String, String> row) {
    Map<String, String> image = new TreeMap<>(row);
    image.keySet().removeIf(name -> name.startsWith("_"));
    return image;
  }

  private Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.putAll(Map.of("captureInstance", "dbo_" + table, "numPartitions", "1"));
    return options;
  }

  /** Spark's own row objects lean on the old calendar for dates and instants. */
  private static List<Map<String, String>> texts(Dataset<Row> rows) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      Column column = functions.col("`" + field.name() + "`");
      if (field.dataType().equals(DataTypes.TimestampType)) {
        column = functions.unix_micros(column);
      } else if (field.dataType().equals(DataTypes.DateType)) {
        column = column.cast(DataTypes.StringType);
      }
      columns.add(column.as(field.name()));
    }
    List<Map<String, String>> texts = new ArrayList<>();
    for (Row row : rows.select(columns.toArray(Column[]::new)).collectAsList()) {
      Map<String, String> values = new TreeMap<>();
      for (StructField field : rows.schema().fields()) {
        boolean instant = field.dataType().equals(DataTypes.TimestampType);
        values.put(field.name(), text(row.getAs(field.name()), instant));
      }
      for (String column : unknown(row)) {
        values.put(column, Values.UNKNOWN);
      }
      texts.add(values);
    }
    return texts;
  }

  private static List<String> unknown(Row row) {
    boolean told = List.of(row.schema().fieldNames()).contains(UNKNOWN_COLUMNS);
    List<String> columns = told ? row.getList(row.fieldIndex(UNKNOWN_COLUMNS)) : null;
    return columns == null ? List.of() : columns;
  }

  private static String text(@Nullable Object value, boolean instant) {
    if (value == null) {
      return Values.NULL;
    }
    if (instant) {
      return Values.instant(Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS));
    }
    if (value instanceof LocalDateTime dateTime) {
      return Values.dateTime(dateTime);
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }
}

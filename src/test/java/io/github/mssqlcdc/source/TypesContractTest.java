package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.source.TypeCases.TypeCase;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every type at both ends of its range: one table, read as a stream and as a snapshot, by plans
 * that are compiled, as most are, and by plans that aren't, as those of very many columns. Each
 * column has a text for the smallest value, the largest and a third one.
 */
@Tag("spark")
class TypesContractTest {
  private static final int ROWS = 4;
  private static final Map<String, TypeCase> CASES = TypeCases.all();

  private static final Map<Plans, Read> READ = new EnumMap<>(Plans.class);

  private static TestDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  /** How Spark runs them. */
  enum Plans {
    COMPILED,
    INTERPRETED
  }

  /**
   * The table's rows, their values as text by column.
   *
   * @param plans what Spark ran
   */
  private record Read(
      List<Map<String, String>> changes, List<Map<String, String>> snapshot, List<String> plans) {}

  @BeforeAll
  static void read() throws Exception {
    database = TestDatabases.create();
    List<String> columns = new ArrayList<>(List.of("id int NOT NULL PRIMARY KEY"));
    CASES.forEach((name, type) -> columns.add(name + " " + type.type()));
    columns.add("version_ rowversion");
    database.run(
        "EXEC sys.sp_configure N'max text repl size', -1",
        "RECONFIGURE",
        "CREATE TYPE dbo.money2 FROM decimal(19,4)",
        "CREATE TABLE dbo.types (" + String.join(", ", columns) + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'types',"
            + " @role_name = NULL");
    for (int row = 0; row < ROWS; row++) {
      List<String> values = new ArrayList<>(List.of(String.valueOf(row)));
      for (TypeCase type : CASES.values()) {
        values.add(row < ROWS - 1 ? type.literals().get(row) : "NULL");
      }
      database.run(
          "INSERT INTO dbo.types (id, "
              + String.join(", ", CASES.keySet())
              + ") VALUES ("
              + String.join(", ", values)
              + ")");
    }
    database.awaitCapture();
    READ.put(Plans.INTERPRETED, readBoth());
    READ.put(Plans.COMPILED, TestSession.withCompiledPlans(TypesContractTest::readBoth));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyValueIsExactInChanges(Plans plans) {
    assertThat(differences(read(plans).changes())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void everyValueIsExactInASnapshot(Plans plans) {
    assertThat(differences(read(plans).snapshot())).isEmpty();
  }

  @Test
  void snapshotAndChangesGiveTheSameValues() {
    Read read = read(Plans.COMPILED);
    assertThat(read.snapshot().equals(read.changes())).isTrue();
    assertThat(read.snapshot())
        .extracting(row -> row.get("version_"))
        .doesNotHaveDuplicates()
        .allMatch(version -> version.matches("[0-9a-f]{16}"));
  }

  /** A star and a number stand before each operator whose code was generated. */
  @Test
  void theReadsDifferInHowTheirPlansRan() {
    assertThat(read(Plans.COMPILED).plans())
        .hasSize(2)
        .allMatch(plan -> plan.matches("(?s).*\\*\\(\\d+\\) ColumnarToRow.*"));
    assertThat(read(Plans.INTERPRETED).plans()).hasSize(2).noneMatch(plan -> plan.contains("*("));
  }

  private static Read read(Plans plans) {
    return Objects.requireNonNull(READ.get(plans));
  }

  /** Values that aren't as expected, cut to what can be read. */
  private static List<String> differences(List<Map<String, String>> read) {
    assertThat(read).hasSize(ROWS);
    List<String> differences = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      Map<String, String> values = read.get(row);
      assertThat(values.get("id")).isEqualTo(String.valueOf(row));
      int at = row;
      CASES.forEach(
          (name, type) -> {
            String expected = at < ROWS - 1 ? type.expected().get(at) : "NULL";
            String value = values.getOrDefault(name, "nothing");
            if (!expected.equals(value)) {
              differences.add(name + ": '" + cut(expected) + "', read " + cut(value));
            }
          });
    }
    return differences;
  }

  private static String cut(String value) {
    return value.length() > 60 ? value.substring(0, 60) + "… (" + value.length() + ")" : value;
  }

  private static Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_types");
    return options;
  }

  private static Read readBoth() throws Exception {
    List<String> plans = new ArrayList<>();
    return new Read(changes(plans), snapshot(plans), plans);
  }

  private static List<Map<String, String>> snapshot(List<String> plans) {
    Dataset<Row> rows =
        captured(
            TestSession.get()
                .read()
                .format("mssql_cdc_snapshot")
                .options(options())
                .load()
                .orderBy("id"));
    List<Map<String, String>> texts = texts(rows);
    plans.add(rows.queryExecution().executedPlan().toString());
    return texts;
  }

  private static List<Map<String, String>> changes(List<String> plans) throws Exception {
    List<Map<String, String>> rows = new ArrayList<>();
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(texts(captured(batch)));
    StreamingQuery query =
        TestSession.get()
            .readStream()
            .format("mssql_cdc")
            .options(options())
            .load()
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", Files.createTempDirectory(folder, "").toUri().toString())
            .foreachBatch(collect)
            .start();
    query.awaitTermination();
    plans.add(
        ((StreamingQueryWrapper) query).streamingQuery().lastExecution().executedPlan().toString());
    return rows;
  }

  /** Captured columns as text made by Spark: its own row objects lean on the old calendar. */
  private static Dataset<Row> captured(Dataset<Row> rows) {
    List<Column> columns = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      if (!field.name().startsWith("_")) {
        columns.add(text(field).as(field.name()));
      }
    }
    return rows.select(columns.toArray(Column[]::new));
  }

  private static List<Map<String, String>> texts(Dataset<Row> rows) {
    List<Map<String, String>> texts = new ArrayList<>();
    for (Row row : rows.collectAsList()) {
      Map<String, String> values = new LinkedHashMap<>();
      for (String name : row.schema().fieldNames()) {
        values.put(name, shown(row.getAs(name)));
      }
      texts.add(values);
    }
    return texts;
  }

  private static Column text(StructField field) {
    Column column = functions.col(field.name());
    if (field.dataType().equals(DataTypes.TimestampType)) {
      return functions.unix_micros(column);
    }
    boolean keeps =
        field.dataType().equals(DataTypes.BinaryType)
            || field.dataType().equals(DataTypes.FloatType)
            || field.dataType().equals(DataTypes.DoubleType);
    return keeps ? column : column.cast(DataTypes.StringType);
  }

  private static String shown(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Long micros) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
    return value.toString();
  }
}

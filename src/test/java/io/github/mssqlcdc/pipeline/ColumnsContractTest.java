package io.github.mssqlcdc.pipeline;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.source.row.ColumnWarnings;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that aren't, or aren't any more, what the captured table shows. */
@Tag("spark")
class ColumnsContractTest {
  private static final SparkSession SPARK = TestSession.get();

  private static TestDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** One row from before a column was dropped and another dropped and added again, one after. */
  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.past (id int NOT NULL PRIMARY KEY, price int, twice AS (price * 2),"
            + " gone nvarchar(10), again int, sent varchar(40))",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'past',"
            + " @role_name = NULL",
        "INSERT INTO dbo.past (id, price, gone, again, sent)"
            + " VALUES (1, 10, N'x', 1, '2026-02-28T13:50-03:00')");
    database.awaitCapture();
    database.run(
        "ALTER TABLE dbo.past DROP COLUMN gone, again",
        "ALTER TABLE dbo.past ADD Again int",
        "INSERT INTO dbo.past (id, price, Again, sent)"
            + " VALUES (2, 20, 2, '2026-02-28 13:50:00.1234567 -03:00')");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void inferredColumnsLeaveComputedOnesOutAndReadNullWhereTheyAreGone() throws Exception {
    try (CapturedLog log = CapturedLog.of(ColumnWarnings.class)) {
      assertThat(changes(options()))
          .containsExactly(
              "1|10|x|1|2026-02-28T13:50-03:00",
              "2|20|null|null|2026-02-28 13:50:00.1234567 -03:00");
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("dbo.past (capture instance dbo_past)", "computed columns (twice)");
    }
    assertThat(captured(snapshot(options())))
        .containsExactly(
            "1|10|null|null|2026-02-28T13:50-03:00",
            "2|20|null|null|2026-02-28 13:50:00.1234567 -03:00");
  }

  @Test
  void goneColumnsReadNullInEveryRangeAndNoneOfThemIsAKey() {
    Map<String, String> options =
        options(
            "columns", "id INT, gone STRING", "snapshotKeys", "[\"sent\"]", "numPartitions", "2");

    Dataset<Row> ranges = SPARK.read().format("mssql_cdc_snapshot").options(options).load();

    assertThat(captured(ranges.orderBy("id"))).containsExactly("1|null", "2|null");
    assertThat(ranges.javaRDD().getNumPartitions()).isEqualTo(2);
    assertThat(ranges.where("gone IS NULL").count()).isEqualTo(2);
    options.put("snapshotKeys", "[\"id\", \"gone\"]");
    assertThatThrownBy(() -> snapshot(options).collectAsList())
        .hasMessageContaining("Unknown columns [gone] in option 'snapshotKeys'");
  }

  @Test
  void listedColumnsComeInTheirOrderAndTypesComputedOnesNull() throws Exception {
    Map<String, String> options =
        options("columns", "sent TIMESTAMP, twice INT, AGAIN BIGINT, id BIGINT");
    String first = "1772297400000000|null|1|1";

    assertThat(changes(options)).containsExactly(first, "1772297400123456|null|null|2");
    assertThat(captured(snapshot(options)))
        .containsExactly("1772297400000000|null|null|1", "1772297400123456|null|null|2");
  }

  @Test
  void aStreamWithItsSnapshotWarnsOnceOfEach() throws Exception {
    try (CapturedLog log = CapturedLog.of(ColumnWarnings.class)) {
      CdcStream.of(SPARK, options("columns", "id INT, twice INT"))
          .toDelta(path("bronze"))
          .appId("past-v1")
          .checkpoint(path("checkpoint"))
          .trigger(Trigger.AvailableNow())
          .bootstrap(true)
          .start()
          .awaitTermination();

      assertThat(log.warnings())
          .satisfiesExactly(
              computed -> assertThat(computed).contains("computed columns (twice)"),
              unread -> assertThat(unread).contains("(price, gone, again, sent) are not read"));
    }
    assertThat(captured(SPARK.read().format("delta").load(path("bronze")).orderBy("id")))
        .containsExactly("1|null", "2|null");
  }

  @Test
  void aListedColumnThatIsNotCapturedIsAnErrorAndNeverNull() {
    assertThatThrownBy(() -> changes(options("columns", "id INT, nothing INT")))
        .hasMessageContaining("Unknown column 'nothing' in option 'columns'");
    assertThatThrownBy(() -> snapshot(options("columns", "id INT, nothing INT")).collectAsList())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("captured are id, price, twice, gone, again, sent");
  }

  /** As wide as a captured table can be: the change table has six columns more. */
  @Test
  void aTableOfAThousandColumnsIsRead() throws Exception {
    String columns = IntStream.range(1, 1_018).mapToObj(i -> ", c" + i + " int").collect(joining());
    database.run(
        "CREATE TABLE dbo.wide (id int NOT NULL PRIMARY KEY" + columns + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'wide',"
            + " @role_name = NULL",
        "INSERT INTO dbo.wide (id, c1017) VALUES (1, 7)",
        "UPDATE dbo.wide SET c1016 = 3");
    database.awaitCapture();
    Map<String, String> options = options("captureInstance", "dbo_wide");

    assertThat(captured(snapshot(options)))
        .singleElement()
        .asString()
        .matches("1(\\|null){1015}\\|3\\|7");
    assertThat(changes(options))
        .extracting(row -> row.replace("null|", ""))
        .containsExactly("1|7", "1|7", "1|3|7");
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_past");
    options.put("numPartitions", "1");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private static Dataset<Row> snapshot(Map<String, String> options) {
    return SPARK.read().format("mssql_cdc_snapshot").options(options).load().orderBy("id");
  }

  private List<String> changes(Map<String, String> options) throws Exception {
    List<String> rows = new ArrayList<>();
    VoidFunction2<Dataset<Row>, Long> collect = (batch, id) -> rows.addAll(captured(batch));
    SPARK
        .readStream()
        .format("mssql_cdc")
        .options(options)
        .load()
        .writeStream()
        .trigger(Trigger.AvailableNow())
        .option("checkpointLocation", path("checkpoint"))
        .foreachBatch(collect)
        .start()
        .awaitTermination();
    return rows;
  }

  /** Captured columns; instants as microseconds, so that no session zone shows. */
  private static List<String> captured(Dataset<Row> rows) {
    List<String> columns = new ArrayList<>();
    for (String name : rows.schema().fieldNames()) {
      boolean isInstant = rows.schema().apply(name).dataType().typeName().equals("timestamp");
      if (!name.startsWith("_")) {
        columns.add(isInstant ? "unix_micros(" + name + ")" : name);
      }
    }
    return rows.selectExpr(columns.toArray(String[]::new)).collectAsList().stream()
        .map(row -> row.mkString("|"))
        .toList();
  }
}

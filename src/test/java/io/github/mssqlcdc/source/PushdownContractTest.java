package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Spark leaves to the server, the server decides as Spark would. */
@Tag("spark")
class PushdownContractTest {
  private static final SparkSession SPARK = TestSession.get();

  private static TestDatabase database;

  private static Dataset<Row> all;

  /** The same rows, on which Spark decides by itself. */
  private static Dataset<Row> copy;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.sales (id int NOT NULL, region varchar(10) NOT NULL, small tinyint,"
            + " big bigint, price decimal(18,4), day date, at datetime2(7), name nvarchar(20),"
            + " twice AS (id * 2), PRIMARY KEY (region, id))",
        "INSERT INTO dbo.sales VALUES"
            + " (1, 'n', 0, -9223372036854775808, -0.0001, '0001-01-01', NULL, N'x'),"
            + " (2, 'N ', 255, 9223372036854775807, 0, '1582-10-10', '2026-01-01T00:00:00.1234567',"
            + " N'X'),"
            + " (3, 's', NULL, NULL, NULL, NULL, '2026-01-01T00:00:00.1234568', NULL),"
            + " (4, 's', 7, 5, 12345678901234.5678, '2026-02-28', '2026-01-01T00:00:00.123456',"
            + " N'x '),"
            + " (5, 'w', 7, 0, 1.5, '9999-12-31', '2026-01-02', N'')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'sales',"
            + " @role_name = NULL");
    database.awaitCapture();
    all = load();
    copy = SPARK.createDataFrame(all.collectAsList(), all.schema());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id >= 3                                     | id >= 3",
        "2 < id AND id <> 4                          | id > 2",
        "id = 4 AND region = 's'                     | id = 4",
        "small = 7                                   | small = 7",
        "small < 300                                 | small IS NOT NULL",
        "small IS NULL                               | small IS NULL",
        "NOT (small > 6)                             | small <= 6",
        "small IN (7, 255)                           | small IN (7, 255)",
        "big > 9223372036854775806                   | big > 9223372036854775806",
        "big = -9223372036854775808                  | big = -9223372036854775808",
        "price < 0                                   | price < 0",
        "price = 12345678901234.5678                 | price = 12345678901234.5678",
        "price <= 1.50                               | price <= 1.5",
        "price > 1.49999                             | price IS NOT NULL",
        "day > date'1582-10-09'                      | day > 1582-10-09",
        "day BETWEEN date'0001-01-01' AND date'2026-02-28' | day <= 2026-02-28",
        "day = date'9999-12-31'                      | day = 9999-12-31",
        "id < 3 OR id > 4                            | ''",
        "region = 'n'                                | ''",
        "name = 'x'                                  | ''",
        "at = timestamp_ntz'2026-01-01 00:00:00.123456' | ''",
        "at > timestamp_ntz'2026-01-01 00:00:00.123456' | ''",
        "id % 2 = 0                                  | WHERE id IS NOT NULL",
        "_operation = 0 AND id = 1                   | id = 1",
        "_start_lsn IS NULL                          | ''",
      })
  void aConditionKeepsTheSameRowsWhoeverDecides(String condition, String pushed) {
    Dataset<Row> found = all.where(condition);

    assertThat(rows(found)).isEqualTo(rows(copy.where(condition)));
    if (pushed.isEmpty()) {
      assertThat(scan(found)).doesNotContain("WHERE");
    } else {
      assertThat(scan(found)).contains("WHERE").contains(pushed);
    }
  }

  @Test
  void aConditionOnWhatIsNotStoredIsDecidedBySpark() {
    Dataset<Row> declared =
        load("columns", "id BIGINT, twice INT, price DECIMAL(30,6)").where("twice IS NULL");

    assertThat(scan(declared)).doesNotContain("WHERE");
    assertThat(declared.count()).isEqualTo(5);
    Dataset<Row> wider = load("columns", "id BIGINT, price DECIMAL(30,6)");
    assertThat(wider.where("id < 3000000000").count()).isEqualTo(5);
    assertThat(wider.where("id = 4 AND price > 1.500001").count()).isEqualTo(1);
    assertThat(scan(wider.where("id = 4"))).contains("WHERE id IS NOT NULL AND id = 4");
  }

  @Test
  void conditionsHoldWithinRanges() {
    Map<String, String> chunks =
        Map.of("snapshotChunks", "[[0, null, [\"s\", 4]], [1, [\"s\", 4], null]]");
    assertThat(rows(load(chunks).where("id > 1").select("id", "_chunk")))
        .containsExactlyInAnyOrder("[2,0]", "[3,0]", "[4,1]", "[5,1]");
    assertThat(rows(load("numPartitions", "3").where("small = 7").select("id")))
        .containsExactlyInAnyOrder("[4]", "[5]");
  }

  @Test
  void aLimitIsReadFromOnePartAndNoFurther() {
    Dataset<Row> limited = load("numPartitions", "3").limit(2);

    assertThat(scan(limited)).contains("LIMIT 2");
    assertThat(limited.count()).isEqualTo(2);
    assertThat(limited.javaRDD().getNumPartitions()).isEqualTo(1);
    assertThat(all.where("id > 3").limit(10).count()).isEqualTo(2);
    assertThat(scan(all.where("name = 'x'").limit(1))).doesNotContain("LIMIT");
    assertThat(rows(load("numPartitions", "3").orderBy("id").limit(2).select("id")))
        .containsExactlyInAnyOrder("[1]", "[2]");
  }

  @Test
  void onlyColumnsAskedForAreRead() {
    assertThat(all.count()).isEqualTo(5);
    assertThat(rows(all.select("price", "_operation")).get(0)).endsWith(",0]");
    assertThat(all.select("_start_lsn").distinct().count()).isEqualTo(1);
    assertThat(all.selectExpr("max(day)").first().get(0)).hasToString("9999-12-31");
  }

  @Test
  void theOptimizerKnowsTheTablesSize() {
    Statistics statistics = load().queryExecution().optimizedPlan().stats();

    assertThat(statistics.rowCount().get().longValue()).isEqualTo(5);
    assertThat(statistics.sizeInBytes().longValue()).isBetween(1L, 1_000_000L);
    Dataset<Row> joined = SPARK.range(1_000_000).toDF("id").join(load(), "id");
    assertThat(explained(joined)).contains("BroadcastHashJoin");
  }

  private static Dataset<Row> load(String... option) {
    return load(option.length == 0 ? Map.of() : Map.of(option[0], option[1]));
  }

  private static Dataset<Row> load(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_sales");
    options.put("numPartitions", "1");
    options.putAll(more);
    return SPARK.read().format("mssql_cdc_snapshot").options(options).load();
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** What the plan shows of the scan. */
  private static String scan(Dataset<Row> dataset) {
    return explained(dataset)
        .lines()
        .filter(line -> line.contains("mssql_cdc_snapshot dbo.sales"))
        .findFirst()
        .orElseThrow();
  }

  private static String explained(Dataset<Row> dataset) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    scala.Console.withOut(
        new PrintStream(text, true, StandardCharsets.UTF_8),
        () -> {
          dataset.explain();
          return null;
        });
    return text.toString(StandardCharsets.UTF_8);
  }
}

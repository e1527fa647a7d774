package io.github.mssqlcdc.pipeline;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.control.AppliedPosition;
import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Silver against its source, by a login that may read the table and its changes. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ReconcileContractTest {
  /** What becomes of a key; most stay as they are. */
  private static final List<String> PLANTED =
      List.of("later", "deleted", "lost", "other", "same", "same", "same", "same", "same", "same");

  private static TestDatabase database;
  private static TestLogin login;

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private Lsn applied = Lsn.ZERO;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    login = database.createLogin("reader");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static void table(String name, String columns, String rows) {
    database.run(
        "CREATE TABLE dbo." + name + " (" + columns + ")",
        "INSERT INTO dbo." + name + " VALUES " + rows,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + name
            + "', @role_name = NULL",
        "GRANT SELECT ON dbo." + name + " TO reader",
        "GRANT SELECT ON cdc.dbo_" + name + "_CT TO reader");
    database.awaitCapture();
  }

  private static void numbers(String name) {
    numbers(name, 100);
  }

  private static void numbers(String name, int count) {
    table(
        name,
        "order_id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL, amount decimal(9,2) NULL",
        IntStream.range(0, count)
            .mapToObj(i -> "(" + i + ", N'n" + i + "', " + (i % 7 == 0 ? "NULL" : i + ".50") + ")")
            .collect(joining(", ")));
  }

  private Map<String, String> options(String table) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("user", login.name());
    options.put("password", login.password());
    options.put("captureInstance", "dbo_" + table);
    options.put("pollInterval", "1ms");
    return options;
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private void silver(String table) {
    Dataset<Row> rows = spark.read().format("mssql_cdc_snapshot").options(options(table)).load();
    rows.drop("_capture_instance", "_seqval", "_operation", "_command_id")
        .withColumn("_history", functions.lit(0))
        .withColumn("_unknown_columns", functions.lit(null).cast("array<string>"))
        .write()
        .format("delta")
        .save(path("silver"));
    isAppliedTo(Lsn.parse(silver().select("_start_lsn").head().getString(0)));
  }

  private void isAppliedTo(Lsn lsn) {
    applied = lsn;
    var unused =
        ControlTable.open(
                LakeTable.of(spark, new DeltaTableRef(path("control"))), Clock.systemUTC())
            .apply(path("silver"), new AppliedPosition(lsn, lsn, null, null), null, 0);
  }

  private Dataset<Row> silver() {
    return spark.read().format("delta").load(path("silver"));
  }

  private void inSilver(String sql) {
    var unused = spark.sql(sql.replace("$silver", "delta.`" + path("silver") + "`"));
  }

  private ReconcileRequest request(String table) {
    return CdcStream.of(spark, options(table))
        .reconcile(path("silver"))
        .controlTable(path("control"))
        .bucketRows(10)
        .captureWait(Duration.ZERO);
  }

  private static List<String> failures(ReconcileResult result) {
    return result.failures().stream()
        .map(one -> one.type() + " " + one.key() + " [" + one.lo() + ", " + one.hi() + ")")
        .sorted()
        .toList();
  }

  @Test
  void equalTablesMatchAndPlantedDifferencesAreFound() {
    numbers("orders");
    silver("orders");

    ReconcileResult equal = request("orders").sample(1).run();
    assertTenBucketsMatch(equal);

    inSilver("UPDATE $silver SET name = 'other', amount = NULL WHERE order_id = 55");
    ReconcileResult hidden = request("orders").sample(0).run();
    assertThat(hidden.hashed()).isZero();
    assertThat(hidden.isClean()).isTrue();
    assertThat(hidden.runId()).isNotEqualTo(equal.runId());

    inSilver("DELETE FROM $silver WHERE order_id = 3");
    inSilver(
        "UPDATE $silver SET name = NULL, _unknown_columns = array('name') WHERE order_id = 56");
    inSilver(
        "INSERT INTO $silver (order_id, name, amount, _start_lsn, _commit_ts, _history) SELECT"
            + " -25, name, amount, _start_lsn, _commit_ts, _history FROM"
            + " (SELECT order_id, name, amount, _start_lsn, _commit_ts, _history FROM $silver)"
            + " WHERE order_id = 4");
    ReconcileResult found = request("orders").sample(1).reportTable(path("report")).run();

    assertThat(failures(found))
        .containsExactly(
            "MISSING_SOURCE {\"order_id\":-25} [-30, -20)",
            "MISSING_TARGET {\"order_id\":3} [0, 10)",
            "RECORD_DIFF {\"order_id\":55} [50, 60)",
            "RECORD_DIFF {\"order_id\":56} [50, 60)");
    assertThat(found.failures())
        .extracting(ReconcileFailure::detail)
        .contains(
            "{\"silver_start_lsn\": \"" + applied + "\"}",
            null,
            "{\"silver_start_lsn\": \"" + applied + "\", \"columns\": [\"name\", \"amount\"]}",
            "{\"silver_start_lsn\": \""
                + applied
                + "\", \"columns\": [\"name\"], \"unknown\": [\"name\"]}");
    assertThat(List.of(found.buckets(), found.match(), found.mismatch(), found.inFlight()))
        .containsExactly(11, 8, 3, 0);
    assertThat(found.isClean()).isFalse();
    assertThat(found.summary())
        .startsWith("Silver DIFFERS from the source")
        .contains("MISSING_TARGET: 1\n    {\"order_id\":3}")
        .contains("report: " + path("report") + ", run_id " + found.runId());
    Dataset<Row> report = spark.read().format("delta").load(path("report"));
    assertThat(
            report
                .where("bucket_lo = '0' OR key IS NOT NULL")
                .selectExpr(
                    "concat_ws('|', bucket_lo, bucket_hi, source_rows, silver_rows,"
                        + " source_key_sum, silver_key_sum, status, hashed, key, failure_type)")
                .collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder(
            "0|10|10|9|45|42|MISMATCH|true",
            "0|10|MISMATCH|true|{\"order_id\":3}|MISSING_TARGET",
            "50|60|MISMATCH|true|{\"order_id\":55}|RECORD_DIFF",
            "50|60|MISMATCH|true|{\"order_id\":56}|RECORD_DIFF",
            "-30|-20|MISMATCH|true|{\"order_id\":-25}|MISSING_SOURCE");
    assertThat(report.count()).isEqualTo(15);
  }

  private void assertTenBucketsMatch(ReconcileResult result) {
    assertThat(result.buckets()).isEqualTo(10);
    assertThat(result.match()).isEqualTo(10);
    assertThat(result.hashed()).isEqualTo(10);
    assertThat(result.failures()).isEmpty();
    assertThat(result.isClean()).isTrue();
    assertThat(result.report()).isNull();
    assertThat(result.silverLsn()).isEqualTo(applied);
    assertThat(result.sourceLsn()).isGreaterThanOrEqualTo(applied);
  }

  @Test
  void everyPlantedDifferenceIsFoundAndNoneElseAndWhatIsOnItsWayIsNoFault() {
    numbers("lagging", 1_000);
    silver("lagging");
    Map<String, List<String>> keys =
        byPlan(new Random(11).ints(1_000, 0, PLANTED.size()).boxed().toList());
    String later = String.join(", ", requireNonNull(keys.get("later")));
    inSource("UPDATE dbo.lagging SET name = N'later' WHERE order_id IN (" + later + ")");
    inSource(
        "DELETE FROM dbo.lagging WHERE order_id IN ("
            + String.join(", ", requireNonNull(keys.get("deleted")))
            + ")");
    inSource("INSERT INTO dbo.lagging VALUES (2000, N'new', 1)");
    database.awaitCapture();
    inSilver(
        "DELETE FROM $silver WHERE order_id IN ("
            + String.join(", ", requireNonNull(keys.get("lost")))
            + ")");
    inSilver(
        "UPDATE $silver SET amount = -1 WHERE order_id IN ("
            + String.join(", ", requireNonNull(keys.get("other")))
            + ")");
    TreeSet<String> expected = new TreeSet<>(Set.of("IN_FLIGHT 2000"));
    Map.of(
            "later", "IN_FLIGHT ",
            "deleted", "IN_FLIGHT ",
            "lost", "MISSING_TARGET ",
            "other", "RECORD_DIFF ")
        .forEach(
            (plan, type) ->
                requireNonNull(keys.get(plan)).forEach(key -> expected.add(type + key)));

    ReconcileResult result = request("lagging").bucketRows(4).sample(1).run();

    assertThat(result.failures())
        .extracting(one -> one.type() + " " + String.valueOf(one.key()).replaceAll("\\D", ""))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(result.match() + result.inFlight() + result.mismatch()).isEqualTo(result.buckets());
    assertThat(result.inFlight()).isPositive();
  }

  private static Map<String, List<String>> byPlan(List<Integer> plans) {
    return IntStream.range(0, plans.size())
        .boxed()
        .collect(
            groupingBy(key -> PLANTED.get(plans.get(key)), mapping(String::valueOf, toList())));
  }

  private static void inSource(String sql) {
    database.run(sql);
  }

  @Test
  void changesOnTheirWayAreReadAcrossASwitchOfInstances() {
    numbers("switched");
    silver("switched");
    inSource("UPDATE dbo.switched SET name = N'before' WHERE order_id = 1");
    inSource(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'switched',"
            + " @capture_instance = N'dbo_switched_2', @role_name = NULL");
    inSource("GRANT SELECT ON cdc.dbo_switched_2_CT TO reader");
    inSource("UPDATE dbo.switched SET name = N'after' WHERE order_id = 2");
    database.awaitCapture();
    inSilver("UPDATE $silver SET name = 'other' WHERE order_id = 3");
    assertThat(failures(request("switched").sample(1).run()))
        .containsExactly(
            "IN_FLIGHT {\"order_id\":1} [0, 10)",
            "IN_FLIGHT {\"order_id\":2} [0, 10)",
            "RECORD_DIFF {\"order_id\":3} [0, 10)");

    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    isAppliedTo(Lsn.parse("0x" + HexFormat.of().withUpperCase().formatHex(max)));
    inSource(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'switched',"
            + " @capture_instance = N'dbo_switched'");
    inSource("UPDATE dbo.switched SET name = N'last' WHERE order_id = 4");
    database.awaitCapture();
    assertThat(failures(request("switched").sample(1).run()))
        .as("what silver has applied is lost there, what only the newer instance has isn't")
        .containsExactly(
            "IN_FLIGHT {\"order_id\":4} [0, 10)",
            "RECORD_DIFF {\"order_id\":1} [0, 10)",
            "RECORD_DIFF {\"order_id\":2} [0, 10)",
            "RECORD_DIFF {\"order_id\":3} [0, 10)");
  }

  @Test
  void aBucketSpansAMillionValuesAndOneInAHundredIsComparedRowByRow() {
    table(
        "sparse",
        "id int NOT NULL PRIMARY KEY",
        IntStream.range(0, 200).mapToObj(i -> "(" + i * 1_000_000 + ")").collect(joining(", ")));
    silver("sparse");
    ReconcileResult result =
        CdcStream.of(spark, options("sparse"))
            .reconcile(path("silver"))
            .controlTable(path("control"))
            .run();
    assertThat(List.of(result.buckets(), result.match(), result.hashed()))
        .containsExactly(200, 200, 2);
  }

  @Test
  void dateKeysAcross1970AndTextKeysAreCompared() {
    table(
        "days",
        "d date NOT NULL PRIMARY KEY, name nvarchar(50) NULL",
        "('1969-12-25', N'a'), ('1969-12-31', N'b'), ('1970-01-01', N'c'), ('9999-12-31', N'd')");
    silver("days");
    assertThat(request("days").sample(1).run().match()).isEqualTo(3);
    inSilver("DELETE FROM $silver WHERE d = DATE'1969-12-25'");
    inSilver("UPDATE $silver SET name = 'x' WHERE d = DATE'9999-12-31'");
    assertThat(failures(request("days").sample(1).run()))
        .containsExactly(
            "MISSING_TARGET {\"d\":\"1969-12-25\"} [\"1969-12-22\", \"1970-01-01\")",
            "RECORD_DIFF {\"d\":\"9999-12-31\"} [\"9999-12-25\", null)");

    // another key of the same table: one bucket, compared in the source's own ranges
    ReconcileResult byName = request("days").keys("NAME").sample(0).run();
    assertThat(byName.buckets()).isOne();
    assertThat(failures(byName))
        .containsExactly(
            "MISSING_SOURCE {\"name\":\"x\"} [null, null)",
            "MISSING_TARGET {\"name\":\"a\"} [null, null)",
            "MISSING_TARGET {\"name\":\"d\"} [null, null)");
  }

  @Test
  void whatIsWrongWithTheRequestOrTheServerIsTold() {
    numbers("other");
    silver("other");
    assertThatThrownBy(() -> request("other").keys("nme").run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Unknown columns [nme] in keys: captured and on the table are order_id, name, amount");
    assertThatThrownBy(() -> request("other").sample(1.5).run())
        .hasMessage("Invalid sample 1.5: give a part from 0 to 1");
    assertThatThrownBy(() -> request("other").bucketRows(0).run())
        .hasMessage("Invalid bucketRows 0: give at least 1");
    assertThatThrownBy(() -> request("other").controlTable(path("none")).run())
        .hasMessageContaining("Unknown table '" + path("none") + "'");
    assertThat(CdcStream.of(spark, options("other")).reconcile(path("silver")).run().notes())
        .singleElement()
        .asString()
        .startsWith("silver's position isn't known, so every change that CDC holds counts");
    isAppliedTo(Lsn.parse("0xFFFFFFFF000000000000"));
    assertThatThrownBy(() -> request("other").run())
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("A lagging replica answers so");
  }
}

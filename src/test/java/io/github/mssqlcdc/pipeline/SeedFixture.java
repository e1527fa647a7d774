package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A table whose target is begun with a copy.
 *
 * @param folder of the lake
 * @param table its name in {@code dbo}
 */
record SeedFixture(TestDatabase database, Path folder, String table) {

  /** With a captured table of these columns. */
  static SeedFixture create(TestDatabase database, Path folder, String columns) {
    String table = "t" + UUID.randomUUID().toString().substring(0, 8);
    SeedFixture lake = new SeedFixture(database, folder, table);
    lake.change(
        "CREATE TABLE $t (" + columns + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    return lake;
  }

  static SparkSession spark() {
    return TestSession.get();
  }

  String instance() {
    return "dbo_" + table;
  }

  /** Nothing but the seed brings the row 99, so a snapshot of the table would lack it. */
  Dataset<Row> copy() {
    return frame(
        "VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (99, 'only in the copy', 9)"
            + " AS c(id, name, size)");
  }

  Dataset<Row> frame(String relation) {
    return spark().sql("SELECT * FROM " + relation);
  }

  CdcStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", instance());
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(spark(), options);
  }

  SeedRequest seed(Dataset<Row> copy, Lsn asOf) {
    return stream().seed(path("bronze"), copy, asOf);
  }

  SeedRequest seed(Dataset<Row> copy, Instant asOf) {
    return stream().seed(path("bronze"), copy, asOf).margin(Duration.ZERO);
  }

  SeedRequest withFacts(SeedRequest request) {
    return request.appId("orders-v1").factsTable(path("facts"));
  }

  void run() throws Exception {
    stream()
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true)
        .start()
        .awaitTermination();
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }

  void change(String... statements) {
    for (String statement : statements) {
      database.run(statement.replace("$t", "dbo." + table));
    }
    database.awaitCapture();
  }

  Lsn maxLsn() {
    String sql = "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)";
    return Lsn.parse(database.query(sql).get(0).get(0).toString());
  }

  Lsn minLsn() {
    String sql = "SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn(N'" + instance() + "'), 1)";
    return Lsn.parse(database.query(sql).get(0).get(0).toString());
  }

  /** Later than all commits so far, to the second. */
  Instant now() {
    Instant next = serverTime().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    Instant now = serverTime();
    while (now.isBefore(next)) {
      database.run("WAITFOR DELAY '00:00:00.05'");
      now = serverTime();
    }
    return now;
  }

  private Instant serverTime() {
    String sql = "SELECT CONVERT(varchar(23), SYSUTCDATETIME(), 126) + 'Z'";
    return Instant.parse(database.query(sql).get(0).get(0).toString());
  }

  List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }

  List<String> latest() {
    return sql(
        "SELECT id, name, size FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY"
            + " _history DESC, _start_lsn DESC, _command_id DESC, _seqval DESC, _operation DESC)"
            + " AS n FROM $bronze) WHERE n = 1 AND _operation IN (0, 2, 4) ORDER BY id");
  }

  void assertNothingWritten() {
    assertThat(Files.exists(folder.resolve("bronze"))).isFalse();
    assertThat(Files.exists(folder.resolve("facts"))).isFalse();
  }

  void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  /** The table at a path of the lake. */
  Dataset<Row> read(String name) {
    return spark().read().format("delta").load(path(name));
  }
}

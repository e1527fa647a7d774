package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.UnknownOptions;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From T-SQL to Delta through the facade, against a server. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class CdcStreamContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private String table;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    table = "t" + UUID.randomUUID().toString().substring(0, 8);
    database.run(
        "CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "INSERT INTO dbo." + table + " VALUES (1, N'one'), (2, N'two'), (3, N'three')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
  }

  private CdcStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(spark, options);
  }

  private DeltaStreamRequest request(CdcStream stream) {
    return stream
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static void run(DeltaStreamRequest request) throws Exception {
    request.start().awaitTermination();
  }

  private void change(String... statements) {
    for (String statement : statements) {
      database.run(statement.replace("$t", "dbo." + table));
    }
    database.awaitCapture();
  }

  private List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }

  private List<String> latest() {
    return sql(
        "SELECT id, name FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY _history DESC,"
            + " _start_lsn DESC, _command_id DESC, _seqval DESC, _operation DESC) AS n FROM"
            + " $bronze) WHERE n = 1 AND _operation IN (0, 2, 4) ORDER BY id");
  }

  private List<String> source() {
    return database.query("SELECT id, name FROM dbo." + table + " ORDER BY id").stream()
        .map(row -> row.get(0) + "|" + row.get(1))
        .toList();
  }

  @Test
  void aStreamStartsByTimeOnceAndGoesOnByItsCheckpoint() throws Exception {
    change("INSERT INTO $t VALUES (4, N'before')");
    // times count to the second
    database.run("WAITFOR DELAY '00:00:01.1'");
    String from =
        database
            .query("SELECT CONVERT(varchar(23), SYSUTCDATETIME(), 126) + 'Z'")
            .get(0)
            .get(0)
            .toString();
    assertThatThrownBy(() -> run(request(stream("startingTimestamp", "2999-01-01T00:00:00Z"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'startingTimestamp': it is in the future");
    assertThatThrownBy(() -> run(request(stream("startingTimestamp", "1999-01-01T00:00:00Z"))))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("Set 'startingLsn' to earliest");
    assertThat(Files.exists(folder.resolve("facts"))).isFalse();
    change("INSERT INTO $t VALUES (5, N'after')");

    run(request(stream("startingTimestamp", from)));
    change("INSERT INTO $t VALUES (6, N'later')");
    // the checkpoint has its position now, whatever the option says
    run(request(stream("startingTimestamp", "1999-01-01T00:00:00Z")));

    assertThat(sql("SELECT id, name FROM $bronze ORDER BY _start_lsn"))
        .containsExactly("5|after", "6|later");
  }

  @Test
  void aCheckpointServesOneStreamWhateverItsTarget() throws Exception {
    change("INSERT INTO $t VALUES (4, N'four')");
    run(request(stream()));
    DeltaStreamRequest other =
        stream()
            .toDelta(path("other"))
            .appId("other-v1")
            .checkpoint(path("checkpoint"))
            .trigger(Trigger.AvailableNow());

    assertThatThrownBy(other::start)
        .isInstanceOfSatisfying(
            CdcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContainingAll(
            "'other-v1'", path("other"), path("checkpoint"), "'orders-v1'", path("bronze"));
    assertThat(Files.exists(folder.resolve("other"))).isFalse();
    run(other.checkpoint(path("checkpoint-other")));
    run(request(stream()));
  }

  @Test
  void aBootstrapAndWhatFollowsGiveTheSourcesCurrentState() throws Exception {
    run(request(stream()).bootstrap(true));
    assertThat(latest()).isEqualTo(source());

    change(
        "UPDATE $t SET name = N'zwei' WHERE id = 2",
        "DELETE FROM $t WHERE id = 3",
        "UPDATE $t SET id = 10 WHERE id = 1",
        "BEGIN TRAN; INSERT INTO $t VALUES (4, N'a'); UPDATE $t SET name = N'b' WHERE id = 4;"
            + " DELETE FROM $t WHERE id = 4; INSERT INTO $t VALUES (4, N'c'); COMMIT");
    run(request(stream()).bootstrap(true));

    assertThat(latest()).isEqualTo(source()).containsExactly("2|zwei", "4|c", "10|one");
    assertThat(sql("SELECT count(*) FROM $bronze WHERE _operation = 0")).containsExactly("3");
    assertThat(
            sql(
                "SELECT app_id, batch_id, event, rows FROM $facts WHERE event IS NOT NULL OR rows >"
                    + " 0 ORDER BY written_at"))
        .containsExactly(
            "orders-v1|null|snapshot_open|0",
            "orders-v1|null|bootstrap|3",
            "orders-v1|" + sql("SELECT max(batch_id) FROM $facts").get(0) + "|null|10");
  }

  @Test
  void aBootstrapThatComesLaterTakesItsSnapshotBesideAStreamThatGoesOn() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x'), (8, N'y')");
    run(request(stream()));
    change("UPDATE $t SET name = N'z' WHERE id = 7", "DELETE FROM $t WHERE id = 8");

    run(request(stream()).bootstrap(true));

    assertThat(latest()).isEqualTo(source()).containsExactly("1|one", "2|two", "3|three", "7|z");
    assertThat(sql("SELECT _operation, count(*) FROM $bronze GROUP BY 1 ORDER BY 1"))
        .containsExactly("0|4", "1|1", "2|2", "3|1", "4|1");
    assertThat(sql("SELECT rows FROM $facts WHERE event = 'bootstrap'")).containsExactly("4");
  }

  @Test
  void aTableWithoutAUniqueIndexIsCutByTheColumnsNamedAndWhatCaptureHadNotReachedComesAgain()
      throws Exception {
    table = "heap" + table;
    database.run(
        "CREATE TABLE dbo." + table + " (id int NOT NULL, name nvarchar(50) NULL)",
        "INSERT INTO dbo." + table + " VALUES (1, NULL), (2, N'b'), (3, N'B'), (4, N'c')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL, @supports_net_changes = 0");
    database.awaitCapture();
    // the read sees these, and capture may not have recorded them by then
    database.run(
        "INSERT INTO dbo." + table + " VALUES (5, N'd')",
        "UPDATE dbo." + table + " SET name = N'z' WHERE id = 1",
        "DELETE FROM dbo." + table + " WHERE id = 4");

    assertThatThrownBy(() -> stream("snapshotKeys", "[\"nme\"]").snapshot(path("bronze")).run())
        .hasMessageContaining("Unknown columns [nme] in option 'snapshotKeys'");
    assertThat(folder).isEmptyDirectory();
    String[] options = {"snapshotKeys", "[\"name\"]", "numPartitions", "3"};
    run(request(stream(options)).bootstrap(true));
    database.awaitCapture();
    run(request(stream(options)).bootstrap(true));

    assertThat(latest()).isEqualTo(source()).containsExactly("1|z", "2|b", "3|B", "5|d");
    assertThat(sql("SELECT id FROM $bronze WHERE _operation = 0 ORDER BY id"))
        .containsExactly("1", "2", "3", "5");
    assertThat(sql("SELECT rows FROM $facts WHERE event = 'bootstrap'")).containsExactly("4");
  }

  @Test
  void theFactsOfABatchAreMeasured() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x'), (8, N'y')", "DELETE FROM $t WHERE id = 7");
    run(request(stream()));
    assertThat(
            sql(
                "SELECT rows, inserts, deletes, updates, min_lsn < max_lsn, max_lsn <= end_lsn,"
                    + " min_commit_ts <= max_commit_ts, max_commit_ts <= end_commit_ts,"
                    + " duration_ms >= 0, source_rtt_ms > 0, read_seconds > 0, read_mb > 0,"
                    + " retention_watermark_ts IS NOT NULL, retention_headroom_hours >= 0,"
                    + " source_max_commit_ts >= end_commit_ts, capture_lag_seconds IS NOT NULL,"
                    + " ingestion_lag_seconds >= 0, network_wait_ms >= 0,"
                    + " source_max_commit_ts + make_dt_interval(0, 0, 0, capture_lag_seconds)"
                    + " BETWEEN started_at - INTERVAL '0.001' SECOND AND written_at,"
                    + " abs(retention_headroom_hours - timestampdiff(SECOND,"
                    + " retention_watermark_ts, end_commit_ts) / 3600) < 0.006,"
                    + " end_at IS NOT NULL, detail, target = '"
                    + path("bronze")
                    + "' FROM $facts WHERE rows > 0"))
        .containsExactly(
            "3|2|1|0|true|true|true|true|true|true|true|true|true|true|true|true|true|true|true|true"
                + "|true|null|true");
  }

  @Test
  void aRunWithNothingNewWritesNoRows() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x')");
    run(request(stream()));
    run(request(stream()));
    assertThat(sql("SELECT count(*) FROM $bronze")).containsExactly("1");
  }

  @Test
  void aSnapshotAloneIsWhereAStreamCanStart() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x')");
    Offset at = stream().snapshot(path("bronze")).run();
    assertThat(stream().snapshot(path("bronze")).run()).isEqualTo(at);
    change("INSERT INTO $t VALUES (8, N'y')");

    run(request(stream("startingLsn", at.lsn().toString())));

    assertThat(latest()).isEqualTo(source());
    assertThat(sql("SELECT _operation, count(*) FROM $bronze GROUP BY 1 ORDER BY 1"))
        .containsExactly("0|4", "2|1");
    assertThat(sql("SELECT count(*) FROM $facts WHERE event IS NOT NULL")).containsExactly("0");
  }

  @Test
  void aNewCheckpointUnderAnOldAppIdIsRefused() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x')");
    run(request(stream()));
    assertThatThrownBy(() -> request(stream()).checkpoint(path("other")).start())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContaining("the checkpoint " + path("other") + " is new");
    assertThat(sql("SELECT count(*) FROM $bronze")).containsExactly("1");
  }

  @Test
  void aBatchWhoseFactsWereLostIsMendedWithoutReadingItAgain() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x')");
    run(request(stream()).factsTable(path("first")));
    String last = lastFile(folder.resolve("checkpoint/commits"));
    Files.delete(folder.resolve("checkpoint/commits/" + last));
    Files.deleteIfExists(folder.resolve("checkpoint/commits/." + last + ".crc"));

    run(request(stream()));

    assertThat(sql("SELECT count(*) FROM $bronze")).containsExactly("1");
    assertThat(sql("SELECT rows, inserts, read_mb FROM $facts WHERE batch_id = " + last))
        .containsExactly("1|1|null");
  }

  private static String lastFile(Path in) throws Exception {
    try (var files = Files.list(in)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d+"))
          .max(java.util.Comparator.comparingInt(Integer::parseInt))
          .orElseThrow();
    }
  }

  @Test
  void aMisspeltOptionStandsInTheFirstFactsRow() throws Exception {
    change("INSERT INTO $t VALUES (7, N'x')");
    try (CapturedLog log = CapturedLog.of(UnknownOptions.class)) {
      run(request(stream("fetchsise", "10", "columns", "id INT")));
      assertThat(log.warnings())
          .containsExactly("Unknown option 'fetchsise' is ignored; did you mean 'fetchSize'?");
    }
    assertThat(
            sql(
                "SELECT array_join(from_json(detail, 'warnings ARRAY<STRING>').warnings, '|') FROM"
                    + " $facts WHERE detail IS NOT NULL"))
        .containsExactly(
            "Unknown option 'fetchsise' is ignored; did you mean 'fetchSize'?|dbo."
                + table
                + " (capture instance dbo_"
                + table
                + "): captured columns that option 'columns' doesn't list (name) are not read");
  }

  @Test
  void tablesByNameWorkAsPathsDo() throws Exception {
    String bronze = "spark_catalog.default.bronze_" + table;
    String facts = "spark_catalog.default.facts_" + table;
    for (int id = 7; id < 9; id++) {
      change("INSERT INTO $t VALUES (" + id + ", N'x')");
      run(
          stream()
              .toDelta(bronze)
              .appId("a")
              .checkpoint(path("checkpoint"))
              .factsTable(facts)
              .trigger(Trigger.AvailableNow())
              .bootstrap(true));
    }
    assertThat(sql("SELECT count(*), count_if(_operation = 0), count(DISTINCT id) FROM " + bronze))
        .containsExactly("5|4|5");
    assertThat(
            sql(
                "SELECT event, sum(rows) FROM "
                    + facts
                    + " WHERE target = '"
                    + bronze
                    + "' GROUP BY event ORDER BY event"))
        .containsExactly("null|1", "bootstrap|4", "snapshot_open|0");
  }

  @Test
  void whatIsWrongWithTheSourceLeavesNothingWritten() {
    assertThatThrownBy(
            () -> request(stream("captureInstance", "dbo_nothing")).bootstrap(true).start())
        .isInstanceOfSatisfying(
            CdcError.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_CAPTURE_INSTANCE));
    assertThatThrownBy(() -> request(stream("password", "wrong-one")).start())
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_FAILED))
        .hasMessageNotContaining("wrong-one");
    assertThat(folder).isEmptyDirectory();
  }
}

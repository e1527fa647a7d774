package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A table on its way into Delta by chunks.
 *
 * @param folder of the lake
 * @param table its name in {@code dbo}
 */
record BackfillFixture(TestDatabase database, Path folder, String table) {
  static final String APP_ID = "orders-v1";

  /** A tracked table of ids 1 to 8, with names a to h. */
  static BackfillFixture ofEightRows(TestDatabase database, Path folder) {
    String table = "t" + UUID.randomUUID().toString().substring(0, 8);
    BackfillFixture lake = new BackfillFixture(database, folder, table);
    lake.change(
        "CREATE TABLE $t (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "INSERT INTO $t VALUES (1, N'a'), (2, N'b'), (3, N'c'), (4, N'd'), (5, N'e'), (6, N'f'),"
            + " (7, N'g'), (8, N'h')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    return lake;
  }

  /** The rows of such a table as they are, columns with a bar between. */
  List<String> source() {
    return database.query("SELECT id, name FROM dbo." + table).stream()
        .map(row -> row.stream().map(Objects::toString).collect(Collectors.joining("|")))
        .sorted()
        .toList();
  }

  static SparkSession spark() {
    return TestSession.get();
  }

  CdcStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    options.put("pollInterval", "1ms");
    options.put("numPartitions", "2");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(spark(), options);
  }

  DeltaStreamRequest toDelta(CdcStream stream) {
    return stream
        .toDelta(path("bronze"))
        .appId(APP_ID)
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true)
        .snapshot(SnapshotMode.CHUNKED);
  }

  void run(DeltaStreamRequest request) throws Exception {
    request.start().awaitTermination();
  }

  BackfillRequest backfill(CdcStream stream) {
    return stream
        .backfill(path("bronze"))
        .appId(APP_ID)
        .factsTable(path("facts"))
        .chunkRows(2)
        .targetWave(java.time.Duration.ZERO);
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

  /** Rows of a query over $bronze, $facts and $plans, columns with a bar between. */
  List<String> sql(String query) {
    return spark()
        .sql(
            query
                .replace("$bronze", "delta.`" + path("bronze") + "`")
                .replace("$facts", "delta.`" + path("facts") + "`")
                .replace("$plans", "delta.`" + path("bronze") + "_snapshot_plans`"))
        .collectAsList()
        .stream()
        .map(Row::mkString)
        .toList();
  }

  /** The state that snapshot rows and changes after S give, by plain SQL. */
  List<String> rebuilt(String key, String columns) {
    return sql(
        "SELECT concat_ws('|', "
            + columns
            + ") FROM (SELECT b.*, row_number() OVER (PARTITION BY "
            + key
            + " ORDER BY _history DESC, _start_lsn DESC, _command_id DESC NULLS LAST, _seqval DESC"
            + " NULLS LAST, _operation DESC) AS place FROM $bronze b CROSS JOIN (SELECT max(end_lsn)"
            + " AS s FROM $facts WHERE event = 'snapshot_open') o WHERE _snapshot = s OR"
            + " (_operation > 0 AND _start_lsn > s)) WHERE place = 1 AND _operation <> 1 ORDER BY 1");
  }

  /** Keys that more than one snapshot row has. */
  List<String> twice(String key) {
    return sql(
        "SELECT " + key + " FROM $bronze WHERE _operation = 0 GROUP BY ALL HAVING count(*) > 1");
  }
}

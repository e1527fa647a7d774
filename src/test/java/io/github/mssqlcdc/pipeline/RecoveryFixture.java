package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A table whose changes get lost on their way into Delta.
 *
 * @param folder of the lake
 * @param table its name in {@code dbo}
 */
record RecoveryFixture(TestDatabase database, Path folder, String table) {
  static final String APP_ID = "orders-v1";

  /** A table with an id and a name, captured as {@code dbo_<table>}. */
  RecoveryFixture create() {
    change("CREATE TABLE $t (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)");
    enable();
    return this;
  }

  void enable() {
    change(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
  }

  void disable() {
    change(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @capture_instance = N'dbo_"
            + table
            + "'");
  }

  CdcStream stream(String... more) {
    return on(database, more);
  }

  CdcStream on(TestDatabase other, String... more) {
    Map<String, String> options = new HashMap<>(other.options());
    options.put("captureInstance", "dbo_" + table);
    options.put("pollInterval", "1ms");
    options.put("numPartitions", "2");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(TestSession.get(), options);
  }

  DeltaStreamRequest toDelta(CdcStream stream) {
    return stream
        .toDelta(path("bronze"))
        .appId(APP_ID)
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true);
  }

  /** One that recovers at each start. */
  DeltaStreamRequest recovering() {
    return toDelta(stream()).onDataLoss(OnDataLoss.RESNAPSHOT).resnapshotInterval(Duration.ZERO);
  }

  /** Runs it to its end; the query's name. */
  String run(DeltaStreamRequest request) throws Exception {
    StreamingQuery query = request.start();
    query.awaitTermination();
    return query.name();
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Each in a commit of its own time: cleanup goes by it. */
  void change(String... statements) {
    for (String statement : statements) {
      database.run(statement.replace("$t", "dbo." + table), "WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
  }

  /** Purges all that is captured. */
  void purge() {
    purge("dbo_" + table);
  }

  void purge(String captureInstance) {
    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'"
            + captureInstance
            + "', @low_water_mark = 0x"
            + HexFormat.of().formatHex(max));
  }

  List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }

  List<String> source() {
    return source(database);
  }

  List<String> source(TestDatabase of) {
    return of.query("SELECT id, name FROM dbo." + table).stream()
        .map(row -> row.stream().map(Objects::toString).collect(Collectors.joining("|")))
        .sorted()
        .toList();
  }

  /** The newest snapshot and what came after it in its history, the latest image of each key. */
  List<String> rebuilt() {
    return sql(
        "SELECT id, name FROM (SELECT b.*, row_number() OVER (PARTITION BY id ORDER BY"
            + " _start_lsn DESC, _command_id DESC NULLS LAST, _seqval DESC NULLS LAST, _operation"
            + " DESC) AS place FROM $bronze b JOIN (SELECT max_by(struct(_history AS h,"
            + " coalesce(_snapshot, _start_lsn) AS lsn), struct(_history, coalesce(_snapshot,"
            + " _start_lsn))) AS s FROM $bronze WHERE _operation = 0) ON _history = s.h AND"
            + " (_snapshot = s.lsn OR (_operation > 0 AND _start_lsn > s.lsn)))"
            + " WHERE place = 1 AND _operation <> 1 ORDER BY concat_ws('|', id, name)");
  }
}

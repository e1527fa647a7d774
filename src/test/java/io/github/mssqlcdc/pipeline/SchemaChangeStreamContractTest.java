package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.pipeline.CaptureInstanceStatus.Need;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.contract.TestLogin;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schema changes and the switch to a second capture instance, from T-SQL to Delta. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class SchemaChangeStreamContractTest {
  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(20))",
        "INSERT INTO dbo.orders VALUES (1, N'a')",
        enable("orders_v1"));
    database.awaitCapture();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aSwitchWithANewColumnKeepsEveryChangeAndTakesNoSecondSnapshot() throws Exception {
    run("orders_v1");
    insert("2, N'b'");
    database.run("ALTER TABLE dbo.orders ADD total int");
    insert("3, N'c', 30");
    database.run(enable("orders_v2"));
    insert("4, N'd', 40");
    assertThat(instances("orders_v1"))
        .extracting(CaptureInstanceStatus::name, CaptureInstanceStatus::need)
        .containsExactly(
            Assertions.tuple("orders_v1", Need.NEEDED), Assertions.tuple("orders_v2", Need.NEEDED));

    run("orders_v1");

    List<String> rows =
        sql(
            "SELECT _capture_instance, _operation, id, name, total, _unknown_columns FROM $bronze"
                + " ORDER BY _start_lsn, id");
    assertThat(rows)
        .containsExactly(
            "orders_v1|0|1|a|null|null",
            "orders_v1|2|2|b|null|ArraySeq(total)",
            "orders_v1|2|3|c|null|ArraySeq(total)",
            "orders_v2|2|4|d|40|null");
    assertThat(
            sql(
                "SELECT event, rows, min_lsn = end_lsn, end_commit_ts IS NOT NULL, lost_from_ts,"
                    + " lost_to_ts, coalesce(get_json_object(detail, '$.statement'), detail) FROM"
                    + " $facts WHERE event IN ('schema_change', 'capture_instance_switched')"
                    + " ORDER BY end_lsn"))
        .containsExactly(
            "schema_change|0|true|true|null|null|ALTER TABLE dbo.orders ADD total int",
            "capture_instance_switched|0|true|true|null|null|{\"old\": \"orders_v1\", \"new\":"
                + " \"orders_v2\", \"not_captured\": []}");

    assertThat(gaps()).containsExactly("total|orders_v2|true|true|true|0");
    List<CaptureInstanceStatus> instances = instances("orders_v2");
    assertThat(instances)
        .extracting(CaptureInstanceStatus::need)
        .containsExactly(Need.DONE, Need.NEEDED);
    assertThat(instances.get(0).columns()).containsExactly("id", "name");
    assertThat(instances.get(1).columns()).containsExactly("id", "name", "total");
    assertThat(instances.get(0).lastLsn())
        .isEqualTo(Objects.requireNonNull(instances.get(1).firstLsn()).previous());
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @capture_instance = N'orders_v1'");
    insert("5, N'e', 50");
    run("orders_v2");
    assertThat(sql("SELECT id, count(*) FROM $bronze GROUP BY id ORDER BY id"))
        .containsExactly("1|1", "2|1", "3|1", "4|1", "5|1");
    assertThat(sql("SELECT count(*) FROM $facts WHERE event = 'bootstrap'")).containsExactly("1");
  }

  /** What came with the second instance; the last number is of snapshots for it. */
  private List<String> gaps() {
    return sql(
        "SELECT get_json_object(detail, '$.column'), get_json_object(detail, '$.capture_instance'),"
            + " get_json_object(detail, '$.from_lsn') = (SELECT end_lsn FROM $facts WHERE event ="
            + " 'schema_change'), get_json_object(detail, '$.to_lsn') = (SELECT end_lsn FROM $facts"
            + " WHERE event = 'capture_instance_switched') AND get_json_object(detail, '$.to_lsn')"
            + " = end_lsn, lost_from_ts <= lost_to_ts, (SELECT count(*) FROM $facts WHERE event ="
            + " 'switch_snapshot') FROM $facts WHERE event = 'column_gap'");
  }

  /** A column with values that no change table has, among them one given to a row of before. */
  private void addColumnAndSwitch() {
    database.run("ALTER TABLE dbo.orders ADD total int");
    insert("2, N'b', 20");
    database.run("UPDATE dbo.orders SET total = 10 WHERE id = 1");
    database.run(enable("orders_v2"));
    insert("3, N'c', 30");
  }

  @Test
  void aFullSnapshotOnTheSwitchFillsTheNewColumnOfRowsThatDoNotChangeAgain() throws Exception {
    run("orders_v1");
    addColumnAndSwitch();

    request("orders_v1").snapshotOnSwitch(true).start().awaitTermination();

    assertThat(rebuilt()).containsExactly("1|a|10", "2|b|20", "3|c|30");
    assertThat(gaps()).containsExactly("total|orders_v2|true|true|true|1");
    assertThat(snapshots())
        .containsExactly(
            "snapshot_open|orders-v1|full|bootstrap|0",
            "bootstrap|orders-v1|null|null|0",
            "snapshot_open|orders-v1|full|switch|1",
            "switch_snapshot|orders-v1|null|null|1");
    assertThat(silver()).containsExactly("1|a|10", "2|b|20", "3|c|30");
    insert("4, N'd', 40");
    database.run("DELETE FROM dbo.orders WHERE id = 1");
    database.awaitCapture();
    request("orders_v2").snapshotOnSwitch(true).start().awaitTermination();
    assertThat(snapshots()).hasSize(4);
    assertThat(rebuilt()).containsExactly("2|b|20", "3|c|30", "4|d|40");
    assertThat(silver()).containsExactly("2|b|20", "3|c|30", "4|d|40");
  }

  @Test
  void aChunkedSnapshotOnTheSwitchHoldsTheModeUntilBackfillHasReadIt() throws Exception {
    run("orders_v1");
    addColumnAndSwitch();

    chunkedOnSwitch("orders_v1").start().awaitTermination();

    assertThat(snapshots())
        .endsWith("snapshot_open|orders-v1|chunked|switch|1")
        .noneMatch(event -> event.startsWith("switch_snapshot"));
    assertThatThrownBy(() -> run("orders_v2"))
        .hasMessageContaining("the chunked snapshot at")
        .hasMessageContaining("isn't complete");
    insert("4, N'd', 40");
    BackfillStatus status =
        CdcStream.of(spark, options("orders_v2", Map.of()))
            .backfill(path("bronze"))
            .appId("orders-v1")
            .factsTable(path("facts"))
            .run();
    assertThat(status.state()).isEqualTo(BackfillState.DONE);
    chunkedOnSwitch("orders_v2").start().awaitTermination();
    assertThat(rebuilt()).containsExactly("1|a|10", "2|b|20", "3|c|30", "4|d|40");
    assertThat(gaps()).containsExactly("total|orders_v2|true|true|true|1");
    assertThat(snapshots()).hasSize(4).endsWith("switch_snapshot|orders-v1|null|null|1");
  }

  private DeltaStreamRequest chunkedOnSwitch(String captureInstance) {
    return request(captureInstance).snapshotOnSwitch(true).snapshot("chunked");
  }

  private List<String> snapshots() {
    return sql(
        "SELECT event, app_id, get_json_object(detail, '$.mode'), get_json_object(detail,"
            + " '$.kind'), get_json_object(detail, '$.open') FROM $facts WHERE event IN"
            + " ('snapshot_open', 'bootstrap', 'switch_snapshot') ORDER BY written_at");
  }

  private List<String> silver() {
    CdcStream.of(spark, options("orders_v2", Map.of()))
        .applyChanges(path("bronze"), path("silver"))
        .controlTable(path("control"))
        .appId("orders-v1")
        .factsTable(path("facts"))
        .run();
    return sql("SELECT id, name, total FROM delta.`" + path("silver") + "` ORDER BY id");
  }

  /** The newest snapshot and what came after it, the latest image of each key. */
  private List<String> rebuilt() {
    return sql(
        "SELECT id, name, total FROM (SELECT b.*, row_number() OVER (PARTITION BY id ORDER BY"
            + " _start_lsn DESC, _command_id DESC NULLS LAST, _seqval DESC NULLS LAST, _operation"
            + " DESC) AS place FROM $bronze b JOIN (SELECT max(_snapshot) AS s FROM $bronze) ON"
            + " _snapshot = s OR (_operation > 0 AND _start_lsn > s)) WHERE place = 1 AND"
            + " _operation <> 1 ORDER BY id");
  }

  @Test
  void aWiderTypeWritesNothingUntilTheTargetIsAllowedToWiden() throws Exception {
    run("orders_v1");
    insert("2, N'b'");
    database.run("ALTER TABLE dbo.orders ADD total int", enable("orders_v2"));
    insert("3, N'c', 30");
    run("orders_v1");
    database.run("ALTER TABLE dbo.orders ALTER COLUMN total bigint");
    insert("4, N'd', 3000000000");

    assertThatThrownBy(() -> run("orders_v1"))
        .hasMessageContaining("SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')");
    assertThat(sql("SELECT max(id) FROM $bronze")).containsExactly("3");
    spark.sql(
        "ALTER TABLE delta.`"
            + path("bronze")
            + "` SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')");
    run("orders_v1");
    assertThat(sql("SELECT id, total FROM $bronze WHERE total IS NOT NULL ORDER BY id"))
        .containsExactly("3|30", "4|3000000000");
  }

  @Test
  void aRunningQueryStopsAtATypeChangeAndWritesNothingOfTheBatch() throws Exception {
    run("orders_v1");
    StreamingQuery query = request("orders_v1").trigger(Trigger.ProcessingTime(0)).start();
    insert("2, N'b'");
    query.processAllAvailable();
    database.run(
        "ALTER TABLE dbo.orders ALTER COLUMN name nvarchar(max)",
        "INSERT dbo.orders VALUES (3, 'c')");
    database.awaitCapture();

    assertThatThrownBy(query::processAllAvailable)
        .satisfies(e -> assertThat(CdcErrors.isSchemaChanged(e)).isTrue())
        .hasMessageContaining("_unknown_columns")
        .hasMessageContaining("Restart the query for a new schema");
    assertThat(sql("SELECT max(id) FROM $bronze")).containsExactly("2");
    run("orders_v1");
    assertThat(sql("SELECT id, name FROM $bronze ORDER BY id"))
        .containsExactly("1|a", "2|b", "3|c");
  }

  @Test
  void theNewerChangeTableNeedsItsOwnGrant() throws Exception {
    TestLogin login = database.createLogin("reader");
    database.run(
        "GRANT SELECT ON dbo.orders TO reader", "GRANT SELECT ON cdc.orders_v1_CT TO reader");
    run("orders_v1", login);
    database.run(enable("orders_v2"));
    insert("2, N'b'");

    assertThatThrownBy(() -> run("orders_v1", login))
        .isInstanceOf(StreamingQueryException.class)
        .hasMessageContaining("GRANT SELECT ON [cdc].[orders_v2_CT] TO [reader]");
    database.run("GRANT SELECT ON cdc.orders_v2_CT TO reader");
    run("orders_v1", login);
    assertThat(sql("SELECT _capture_instance, id FROM $bronze ORDER BY id"))
        .containsExactly("orders_v1|1", "orders_v2|2");
  }

  private List<CaptureInstanceStatus> instances(String captureInstance) {
    return CdcStream.of(spark, options(captureInstance, Map.of()))
        .captureInstances()
        .appId("orders-v1")
        .factsTable(path("facts"))
        .run();
  }

  private void run(String captureInstance) throws Exception {
    request(captureInstance).start().awaitTermination();
  }

  private void run(String captureInstance, TestLogin login) throws Exception {
    request(captureInstance, Map.of("user", login.name(), "password", login.password()))
        .start()
        .awaitTermination();
  }

  private DeltaStreamRequest request(String captureInstance) {
    return request(captureInstance, Map.of());
  }

  private DeltaStreamRequest request(String captureInstance, Map<String, String> more) {
    return CdcStream.of(spark, options(captureInstance, more))
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true);
  }

  private Map<String, String> options(String captureInstance, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", captureInstance);
    options.put("pollInterval", "1ms");
    options.putAll(more);
    return options;
  }

  private void insert(String values) {
    database.run("INSERT INTO dbo.orders VALUES (" + values + ")", "WAITFOR DELAY '00:00:00.010'");
    database.awaitCapture();
  }

  private static String enable(String instance) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
        + " @capture_instance = N'"
        + instance
        + "', @role_name = NULL";
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }
}

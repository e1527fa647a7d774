package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.delta.StreamTables;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cleanup, crashes and checkpoints, from T-SQL to Delta. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class DataLossContractTest {
  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabases.create();
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    database.awaitCapture();
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void aBatchThatBronzeHoldsIsReplayedThoughItsChangesArePurged() throws Exception {
    insert(1);
    run("orders-v1", "true");
    insert(2);
    run("orders-v1", "true");
    long last = forgetLastCommit();
    insert(3);
    cleanUp(lsn("SELECT sys.fn_cdc_get_max_lsn()"));
    // purged: the batch to be replayed, which bronze has, and 3, which it has not
    insert(4);

    assertThatThrownBy(() -> run("orders-v2", "true"))
        .as("its own checkpoint under another appId")
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContaining("is that of 'orders-v1'")
        .hasMessageContaining("its batch " + last);
    assertThatThrownBy(() -> run("orders-v1", "true"))
        .as("the batch after it has lost its changes")
        .isInstanceOfSatisfying(
            StreamingQueryException.class, e -> assertThat(CdcErrors.isDataLoss(e)).isTrue());
    assertThat(ids()).as("but the replay itself passed").containsExactly(1, 2);
    assertThat(committed()).isEqualTo(last);

    run("orders-v1", "false");
    assertThat(ids()).contains(1, 2, 4).doesNotHaveDuplicates();
    assertThat(
            sql(
                "SELECT batch_id > "
                    + last
                    + ", rows, get_json_object(detail, '$.certain'), lost_from_ts <= lost_to_ts,"
                    + " end_lsn = get_json_object(detail, '$.to') FROM $facts WHERE event ="
                    + " 'data_skipped'"))
        .containsExactly("true|0|true|true|true");
    run("orders-v1", "false");
    assertThat(sql("SELECT count(*) FROM $facts WHERE event = 'data_skipped'"))
        .containsExactly("1");
  }

  private void insert(int id) {
    // commits of their own time: cleanup goes by it
    database.run("INSERT INTO dbo.orders VALUES (" + id + ")", "WAITFOR DELAY '00:00:00.010'");
    database.awaitCapture();
  }

  private void cleanUp(String mark) {
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_orders', @low_water_mark ="
            + " 0x"
            + mark);
  }

  private String lsn(String query) {
    return java.util.HexFormat.of().formatHex((byte[]) database.query(query).get(0).get(0));
  }

  private void run(String appId, String failOnDataLoss) throws Exception {
    Map<String, String> options = new HashMap<>(database.options());
    options.putAll(
        Map.of(
            "captureInstance", "dbo_orders",
            "pollInterval", "1ms",
            "failOnDataLoss", failOnDataLoss));
    CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId(appId)
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  /** As if the driver had died between the sink's commits and Spark's own. */
  private long forgetLastCommit() throws Exception {
    long last = committed();
    Files.delete(folder.resolve("checkpoint/commits/" + last));
    Files.deleteIfExists(folder.resolve("checkpoint/commits/." + last + ".crc"));
    return last;
  }

  private long committed() throws Exception {
    try (var files = Files.list(folder.resolve("checkpoint/commits"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\d+"))
          .map(Long::valueOf)
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<Integer> ids() {
    return sql("SELECT id FROM $bronze ORDER BY id").stream().map(Integer::valueOf).toList();
  }

  private List<String> sql(String query) {
    return new StreamTables(path("bronze"), path("facts")).sql(query);
  }
}

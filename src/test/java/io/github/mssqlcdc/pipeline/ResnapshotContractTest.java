package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase;
import io.github.mssqlcdc.testkit.contract.RestorableDatabase.Cdc;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.LakeFileSystem;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that lose changes and go on by themselves, from T-SQL to Delta. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ResnapshotContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private RecoveryFixture lake;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    // with its last instance a database loses the LSN map
    database.run(
        "CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other',"
            + " @role_name = NULL");
    TestSession.get()
        .sparkContext()
        .hadoopConfiguration()
        .set("fs." + LakeFileSystem.SCHEME + ".impl", LakeFileSystem.class.getName());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    String table = "t" + UUID.randomUUID().toString().substring(0, 8);
    lake = new RecoveryFixture(database, folder, table).create();
  }

  @Test
  void purgedChangesAreMadeGoodByANewSnapshotAndTheNextGeneration() throws Exception {
    String checkpoint = LakeFileSystem.SCHEME + "://" + folder.resolve("checkpoint");
    lake.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b')");
    lake.run(lake.recovering().checkpoint(checkpoint));
    lake.change("INSERT INTO $t VALUES (3, N'c')");
    lake.run(lake.recovering().checkpoint(checkpoint));
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1", "DELETE FROM $t WHERE id = 2");
    lake.purge();
    lake.change("INSERT INTO $t VALUES (4, N'd')");

    assertThat(lake.run(lake.recovering().checkpoint(checkpoint))).isEqualTo("orders-v1.g1");

    lake.change("UPDATE $t SET name = N'y' WHERE id = 3");
    assertThat(lake.run(lake.toDelta(lake.stream()).checkpoint(checkpoint)))
        .isEqualTo("orders-v1.g1");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(
            lake.sql(
                "SELECT app_id, batch_id, rows, get_json_object(detail, '$.cause'), lost_from_ts"
                    + " <= lost_to_ts, lost_to_ts = retention_watermark_ts FROM $facts WHERE event"
                    + " = 'resnapshot'"))
        .containsExactly("orders-v1.g1|null|3|retention|true|true");
    assertThat(
            lake.sql(
                "SELECT app_id, get_json_object(detail, '$.kind'), get_json_object(detail,"
                    + " '$.generation') FROM $facts WHERE event = 'snapshot_open' ORDER BY 3"))
        .containsExactly("orders-v1|bootstrap|0", "orders-v1.g1|resnapshot|1");
    assertThat(lake.sql("SELECT app_id FROM $facts WHERE event IS NULL GROUP BY 1 ORDER BY 1"))
        .containsExactly("orders-v1", "orders-v1.g1");
    assertThat(Files.readString(folder.resolve("checkpoint/_mssql_cdc_generation.json")))
        .matches("\\{\"generation\": 1, \"snapshot_lsn\": \"0x[0-9A-F]{20}\"}\n");
    assertThat(folder.resolve("checkpoint/_generations/1/offsets")).isNotEmptyDirectory();
  }

  @Test
  void aTableMadeAnewUnderAnotherInstanceBeforeTheFirstBatchIsMadeGood() throws Exception {
    lake.disable();
    second("v1");
    lake.change("INSERT INTO $t VALUES (1, N'a')");
    StreamingQuery namesake =
        TestSession.get()
            .readStream()
            .format("rate")
            .load()
            .writeStream()
            .format("noop")
            .queryName(RecoveryFixture.APP_ID)
            .option("checkpointLocation", folder.resolve("namesake").toString())
            .start();
    assertThatThrownBy(() -> lake.run(recovering("v1"))).hasMessageContaining("already active");
    namesake.stop();
    assertThat(lake.sql("SELECT id FROM $bronze")).containsExactly("1");
    assertThat(folder.resolve("checkpoint/offsets/0")).as("no batch yet").doesNotExist();
    lake.change(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
            + lake.table()
            + "', @capture_instance = N'all'",
        "DROP TABLE $t",
        "CREATE TABLE $t (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "INSERT INTO $t VALUES (2, N'b')");
    second("v2");
    lake.change("INSERT INTO $t VALUES (3, N'c')");

    lake.run(recovering("v2"));

    assertThat(lake.rebuilt()).isEqualTo(lake.source());
  }

  @Test
  void ofTwoInstancesTheNewerIsFollowedWhicheverWayTheOlderLostWhatFollows() throws Exception {
    lake.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b')");
    lake.run(lake.recovering());
    second("v2");
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1");
    lake.disable();
    lake.change("INSERT INTO $t VALUES (3, N'c')");

    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g1");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());

    lake.change("DELETE FROM $t WHERE id = 2");
    second("v3");
    lake.change("UPDATE $t SET name = N'y' WHERE id = 3");
    lake.purge(lake.table() + "_v2");
    lake.purge(lake.table() + "_v3");
    lake.change("INSERT INTO $t VALUES (4, N'd')");
    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g2");
    lake.change("INSERT INTO $t VALUES (5, N'e')");
    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g2");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(
            lake.sql(
                "SELECT get_json_object(detail, '$.cause') FROM $facts WHERE event = 'resnapshot'"
                    + " ORDER BY app_id"))
        .containsExactly("instance_recreated", "retention");
    assertThat(lake.sql("SELECT DISTINCT _capture_instance FROM $bronze WHERE id = 5"))
        .containsExactly(lake.table() + "_v3");
  }

  private DeltaStreamRequest recovering(String suffix) {
    return lake.toDelta(lake.stream("captureInstance", lake.table() + "_" + suffix))
        .onDataLoss(OnDataLoss.RESNAPSHOT)
        .resnapshotInterval(Duration.ZERO);
  }

  private void second(String suffix) {
    lake.change(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + lake.table()
            + "', @capture_instance = N'"
            + lake.table()
            + "_"
            + suffix
            + "', @role_name = NULL");
  }

  @Test
  void anInstanceCreatedAgainIsMadeGoodByAChunkedSnapshotThatBackfillReads() throws Exception {
    lake.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b'), (3, N'c')");
    lake.run(lake.recovering());
    lake.disable();
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1", "DELETE FROM $t WHERE id = 2");
    lake.enable();
    lake.change("INSERT INTO $t VALUES (4, N'd')");

    DeltaStreamRequest chunked =
        lake.toDelta(lake.stream("startingLsn", "earliest"))
            .bootstrap(false)
            .onDataLoss("resnapshot")
            .snapshot(SnapshotMode.CHUNKED);
    assertThat(lake.run(chunked)).isEqualTo("orders-v1.g1");
    lake.change("UPDATE $t SET name = N'y' WHERE id = 3");
    BackfillStatus status =
        lake.stream()
            .backfill(lake.path("bronze"))
            .appId(RecoveryFixture.APP_ID)
            .factsTable(lake.path("facts"))
            .run();
    assertThat(status.state()).as(status.toString()).isEqualTo(BackfillState.DONE);
    assertThat(lake.run(chunked)).isEqualTo("orders-v1.g1");

    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(
            lake.sql(
                "SELECT app_id, rows, get_json_object(detail, '$.cause'), get_json_object(detail,"
                    + " '$.chunks'), lost_from_ts <= lost_to_ts FROM $facts WHERE event ="
                    + " 'resnapshot'"))
        .containsExactly("orders-v1.g1|3|instance_recreated|1|true");
    assertThat(
            lake.sql(
                "SELECT DISTINCT app_id FROM $facts WHERE event LIKE 'snapshot_%' AND event <>"
                    + " 'snapshot_open'"))
        .containsExactly("orders-v1.g1");
  }

  @Test
  void aChunkedResnapshotHoldsTheModeAndIsOpenedAnewInItsGenerationOnceGivenUp() throws Exception {
    openedAfterALoss();
    assertThatThrownBy(() -> lake.run(lake.recovering()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("generation 1", "abandonSnapshot");
    abandon();
    assertThat(lake.run(lake.recovering().snapshot(SnapshotMode.CHUNKED)))
        .isEqualTo("orders-v1.g1");
    BackfillStatus status =
        lake.stream()
            .backfill(lake.path("bronze"))
            .appId(RecoveryFixture.APP_ID)
            .factsTable(lake.path("facts"))
            .run();
    assertThat(status.state()).as(status.toString()).isEqualTo(BackfillState.DONE);
    lake.run(lake.recovering().snapshot(SnapshotMode.CHUNKED));
    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(lake.sql("SELECT app_id, rows FROM $facts WHERE event = 'resnapshot'"))
        .containsExactly("orders-v1.g1|3");
  }

  @Test
  void aFullRunTakesTheSnapshotThatItsGenerationLacksGivenUpOrDroppedWithTheTarget()
      throws Exception {
    openedAfterALoss();
    abandon();
    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g1");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());

    FileUtils.deleteDirectory(folder.resolve("bronze").toFile());
    lake.change("INSERT INTO $t VALUES (6, N'f')");
    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g1");
    assertThat(lake.rebuilt()).isEqualTo(lake.source());
    assertThat(lake.run(lake.recovering())).isEqualTo("orders-v1.g1");
    assertThat(lake.sql("SELECT app_id, rows FROM $facts WHERE event = 'resnapshot' ORDER BY rows"))
        .containsExactly("orders-v1.g1|3", "orders-v1.g1|4");
  }

  private void openedAfterALoss() throws Exception {
    lake.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b'), (3, N'c')");
    lake.run(lake.recovering());
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1", "DELETE FROM $t WHERE id = 2");
    lake.purge();
    lake.change("INSERT INTO $t VALUES (4, N'd')");
    assertThat(lake.run(lake.recovering().snapshot(SnapshotMode.CHUNKED)))
        .isEqualTo("orders-v1.g1");
  }

  private void abandon() {
    assertThat(
            lake.stream()
                .abandonSnapshot(lake.path("bronze"))
                .appId(RecoveryFixture.APP_ID)
                .factsTable(lake.path("facts"))
                .run())
        .isPresent();
  }

  @Test
  void afterARestoreTheNewerHistoryOutranksTheOlderEvenWhereItsLsnsAreLower() throws Exception {
    try (RestorableDatabase restorable = new RestorableDatabase()) {
      RecoveryFixture orders = new RecoveryFixture(restorable, folder, "orders").create();
      orders.change("INSERT INTO $t VALUES (1, N'a'), (2, N'b'), (3, N'c')");
      int backup = restorable.backup();
      orders.run(orders.recovering());
      orders.change(
          "UPDATE $t SET name = N'x' WHERE id = 1",
          "DELETE FROM $t WHERE id = 2",
          "INSERT INTO $t VALUES (4, N'gone')");
      orders.run(orders.recovering());

      restorable.restore(backup, Cdc.KEPT);
      orders.change("UPDATE $t SET name = N'r' WHERE id = 3");
      assertThat(orders.run(orders.recovering())).isEqualTo("orders-v1.g1");
      assertThat(orders.rebuilt()).isEqualTo(orders.source());
      for (int id = 5; id < 15; id++) {
        orders.change("INSERT INTO $t VALUES (" + id + ", N'new')");
      }
      orders.change("UPDATE $t SET name = N'z' WHERE id = 1");
      assertThat(orders.run(orders.recovering())).isEqualTo("orders-v1.g1");
      assertThat(orders.rebuilt()).isEqualTo(orders.source());
      assertThat(
              orders.sql(
                  "SELECT get_json_object(detail, '$.cause'), get_json_object(detail,"
                      + " '$.history') FROM $facts WHERE event = 'resnapshot'"))
          .containsExactly("restored|1");

      restorable.restore(backup, Cdc.KEPT);
      orders.change("DELETE FROM $t WHERE id = 3");
      DeltaStreamRequest byHand =
          orders.toDelta(orders.stream()).appId("orders-v2").checkpoint(orders.path("v2"));
      assertThatThrownBy(() -> byHand.bootstrap(false).start())
          .isInstanceOf(HistoryChangedException.class)
          .hasMessageContaining("a new snapshot is required");
      orders.run(byHand.bootstrap(true));
      assertThat(orders.rebuilt()).isEqualTo(orders.source());
      assertThat(orders.sql("SELECT DISTINCT _history FROM $bronze ORDER BY 1"))
          .containsExactly("0", "1", "2");
    }
  }
}

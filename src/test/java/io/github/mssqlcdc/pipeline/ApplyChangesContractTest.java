package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.control.ControlTable;
import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.DiskMoment;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a server's table over bronze to silver, through the facade. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ApplyChangesContractTest {
  private static final LocalDateTime ONE = LocalDateTime.of(2026, 9, 30, 13, 0);
  private static TestDatabase database;

  @TempDir private Path folder;
  private BackfillFixture lake;

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
    lake =
        new BackfillFixture(database, folder, "t" + UUID.randomUUID().toString().substring(0, 8));
  }

  private void create(String columns) {
    lake.change(
        "CREATE TABLE $t (" + columns + ")",
        "INSERT INTO $t VALUES (1, 1, N'a'), (1, 2, N'b'), (2, 1, N'c')",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + lake.table()
            + "', @role_name = NULL");
  }

  private ApplyChangesRequest apply() {
    return apply(lake.path("bronze"), lake.path("silver")).controlTable(lake.path("control"));
  }

  private ApplyChangesRequest apply(String bronze, String silver) {
    return lake.stream()
        .applyChanges(bronze, silver)
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"));
  }

  private List<String> silver() {
    return BackfillFixture.spark()
        .read()
        .format("delta")
        .load(lake.path("silver"))
        .select("region", "id", "body")
        .collectAsList()
        .stream()
        .map(Row::mkString)
        .sorted()
        .toList();
  }

  private List<String> source() {
    return database.query("SELECT region, id, body FROM dbo." + lake.table()).stream()
        .map(row -> row.stream().map(Objects::toString).collect(Collectors.joining()))
        .sorted()
        .toList();
  }

  private LakeTable table(String name) {
    return LakeTable.of(BackfillFixture.spark(), new DeltaTableRef(lake.path(name)));
  }

  @Test
  void silverIsTheTableAfterEachCallAndARerunWritesNothing() throws Exception {
    assertThat(apply().run()).isEqualTo(new ApplyResult(false, null, null, false));
    create(
        "region int NOT NULL, id int NOT NULL, body nvarchar(max) NULL, PRIMARY KEY (region, id)");
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    ControlTable control = ControlTable.open(table("control"), Clock.systemUTC());
    var unused =
        control.advance(lake.path("bronze"), new Verdict(ONE, Lsn.ZERO, ONE.plusMinutes(5)), 0);

    ApplyResult first = apply().run();
    assertThat(first.rebuilt()).isTrue();
    assertThat(first.finalizedUntil()).isEqualTo(ONE);
    assertThat(silver()).isEqualTo(source());

    lake.change(
        "UPDATE $t SET id = 3 WHERE region = 1 AND id = 1",
        "DELETE FROM $t WHERE region = 2",
        "BEGIN TRAN; INSERT INTO $t VALUES (5, 5, N'e'); UPDATE $t SET body = N'f' WHERE id = 5;"
            + " DELETE FROM $t WHERE id = 5; COMMIT",
        "UPDATE $t SET body = N'B' WHERE id = 2");
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    ApplyResult second = apply().run();
    assertThat(second.rebuilt()).isFalse();
    assertThat(second.appliedLsn()).isGreaterThan(first.appliedLsn());
    assertThat(silver()).isEqualTo(source());

    long silver = table("silver").version();
    long controlled = table("control").version();
    assertThat(apply().run()).isEqualTo(second);
    assertThat(table("silver").version()).isEqualTo(silver);
    assertThat(table("control").version()).isEqualTo(controlled);
    aVerdictThatMovesMeanwhileWaits(control);
  }

  /** The facts are read between the verdict and bronze. */
  private void aVerdictThatMovesMeanwhileWaits(ControlTable control) throws Exception {
    LocalDateTime two = ONE.plusHours(1);
    lake.change("INSERT INTO $t VALUES (8, 8, N'h')");
    try (DiskMoment moment =
        DiskMoment.beforeReading(
            folder.resolve("facts"),
            () -> {
              lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
              return control.advance(lake.path("bronze"), new Verdict(two, Lsn.ZERO, two), 0);
            })) {
      assertThat(apply().run().finalizedUntil()).isEqualTo(ONE);
      assertThat(moment.hasCome()).isTrue();
    }
    assertThat(silver()).isEqualTo(source());
    assertThat(apply().run().finalizedUntil()).isEqualTo(two);
  }

  @Test
  void chunksOfAnOpenSnapshotAreAppliedAsTheyArriveAndTheVerdictWaits() throws Exception {
    create(
        "region int NOT NULL, id int NOT NULL, body nvarchar(max) NULL, PRIMARY KEY (region, id)");
    lake.change("INSERT INTO $t VALUES (3, 1, N'h'), (4, 1, N'i'), (5, 1, N'j')");
    lake.run(lake.toDelta(lake.stream()));
    ControlTable control = ControlTable.open(table("control"), Clock.systemUTC());
    var unused =
        control.advance(lake.path("bronze"), new Verdict(ONE, Lsn.ZERO, ONE.plusMinutes(5)), 0);
    lake.change("DELETE FROM $t WHERE region = 1 AND id = 1", "INSERT INTO $t VALUES (7, 7, N'g')");
    lake.run(lake.toDelta(lake.stream()));

    assertThat(apply().run().finalizedUntil()).isNull();
    assertThat(silver()).containsExactly("77g");
    lake.backfill(lake.stream()).chunkRows(1).maxWaves(1).run();
    assertThat(apply().run().finalizedUntil()).isNull();
    lake.backfill(lake.stream()).run();
    ApplyResult last = apply().run();
    assertThat(last.finalizedUntil()).isEqualTo(ONE);
    assertThat(silver()).isEqualTo(source());
    ReconcileResult compared =
        lake.stream()
            .reconcile(lake.path("silver"))
            .bronze(lake.path("bronze"))
            .appId(BackfillFixture.APP_ID)
            .factsTable(lake.path("facts"))
            .captureWait(Duration.ZERO)
            .run();
    assertThat(compared.isClean()).as(compared.summary()).isTrue();
    assertThat(compared.match()).isEqualTo(compared.buckets());
    assertThat(compared.silverLsn()).isEqualTo(last.appliedLsn());
    assertThat(compared.notes()).isEmpty();
    factsOfAnotherTargetDontCount();
    assertThatThrownBy(
            () -> lake.stream().applyChanges(lake.path("bronze"), lake.path("s2")).keys("id").run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "it has chunks of a snapshot, and only the facts say how far that is");
  }

  private void factsOfAnotherTargetDontCount() {
    assertThat(apply(lake.path("bronze") + "/", lake.path("silver")).run().bronzeFound()).isTrue();
    var bronze = BackfillFixture.spark().read().format("delta").load(lake.path("bronze"));
    bronze.write().format("delta").save(lake.path("copy"));
    assertThatThrownBy(() -> apply(lake.path("copy"), lake.path("s3")).run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "no snapshot_open row of application 'orders-v1' that names it, only of ["
                + lake.path("bronze")
                + "]");
    bronze.where("_chunk IS NULL").write().format("delta").save(lake.path("changes"));
    try (CapturedLog log = CapturedLog.of(SilverTables.class)) {
      assertThat(apply(lake.path("changes"), lake.path("s4")).run().rebuilt()).isTrue();
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("are of [" + lake.path("bronze") + "], not of it; they don't count");
    }
  }

  @Test
  void aTableWithoutAKeyIsRefusedUnlessKeysAreGiven() throws Exception {
    create("region int NOT NULL, id int NOT NULL, body nvarchar(max) NULL");
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    assertThatThrownBy(() -> apply().run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith(
            "Missing keys: CDC knows of no unique index of dbo." + lake.table());
    assertThatThrownBy(() -> apply().keys("nobody").run())
        .hasMessageContaining("Invalid key 'nobody'")
        .hasMessageContaining("[region, id, body]");
    assertThat(table("silver").exists()).isFalse();

    assertThat(apply().keys("REGION", "id").run().rebuilt()).isTrue();
    lake.change("UPDATE $t SET id = id + 1", "UPDATE $t SET region = 9 WHERE region = 2");
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    assertThat(apply().run().rebuilt()).isFalse();
    assertThat(silver()).isEqualTo(source());
    assertThatThrownBy(() -> apply().keys("id").run())
        .hasMessageContaining("are told apart by [region, id]");
  }
}

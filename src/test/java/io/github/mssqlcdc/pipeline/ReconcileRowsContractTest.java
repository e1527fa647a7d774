package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that a comparison might mistake for others, or not look at. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class ReconcileRowsContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private BackfillFixture table(String columns, String rows) {
    BackfillFixture lake =
        new BackfillFixture(database, folder, "t" + UUID.randomUUID().toString().substring(0, 8));
    lake.change(
        "CREATE TABLE $t (" + columns + ")",
        "INSERT INTO $t VALUES " + rows,
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + lake.table()
            + "', @role_name = NULL");
    return lake;
  }

  private static void load(BackfillFixture lake, List<String> keys, String... more)
      throws Exception {
    lake.run(lake.toDelta(lake.stream(more)).snapshot(SnapshotMode.FULL));
    ApplyChangesRequest apply =
        lake.stream(more)
            .applyChanges(lake.path("bronze"), lake.path("silver"))
            .appId(BackfillFixture.APP_ID)
            .factsTable(lake.path("facts"));
    if (!keys.isEmpty()) {
      apply = apply.keys(keys.toArray(String[]::new));
    }
    assertThat(apply.run().bronzeFound()).isTrue();
  }

  private static ReconcileRequest reconcile(BackfillFixture lake, String... more) {
    return lake.stream(more)
        .reconcile(lake.path("silver"))
        .bronze(lake.path("bronze"))
        .captureWait(Duration.ZERO)
        .sample(1);
  }

  private static void inSilver(BackfillFixture lake, String sql) {
    var unused =
        BackfillFixture.spark().sql(sql.replace("$silver", "delta.`" + lake.path("silver") + "`"));
  }

  private static List<String> failures(ReconcileResult result) {
    return result.failures().stream()
        .map(one -> one.type() + " " + one.key() + " " + one.detail())
        .toList();
  }

  @Test
  void aRowThatStandsTwiceIsToldThoughItsValuesAreRight() throws Exception {
    BackfillFixture lake =
        table("id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL", "(1, N'a'), (2, N'b')");
    load(lake, List.of());
    inSilver(lake, "INSERT INTO $silver SELECT * FROM $silver WHERE id = 2");
    lake.change("UPDATE $t SET name = N'c' WHERE id = 2");
    ReconcileResult twice = reconcile(lake).run();
    assertThat(twice.isClean()).isFalse();
    assertThat(failures(twice))
        .singleElement()
        .asString()
        .startsWith("DUPLICATE {\"id\":2} {\"silver_start_lsn\": ")
        .endsWith("\"source_rows\": 1, \"silver_rows\": 2}");

    BackfillFixture keyless = table("name nvarchar(20) NULL, n int NULL", "(N'a', 1), (N'a', 1)");
    BackfillFixture apart = new BackfillFixture(database, folder.resolve("2"), keyless.table());
    load(apart, List.of("name"));
    assertThat(failures(reconcile(apart).run()))
        .singleElement()
        .asString()
        .startsWith("DUPLICATE {\"name\":\"a\"}")
        .endsWith("\"source_rows\": 2, \"silver_rows\": 1}");
  }

  @Test
  void aChangeOfAKeyAMicrosecondAwayExplainsNothing() throws Exception {
    BackfillFixture lake =
        table(
            "at datetime2(6) NOT NULL PRIMARY KEY, name nvarchar(20) NULL",
            "('2026-01-01T00:00:00.000001', N'a'), ('2026-01-01T00:00:00.000002', N'b')");
    load(lake, List.of());
    inSilver(
        lake, "UPDATE $silver SET name = 'x' WHERE at = TIMESTAMP_NTZ'2026-01-01 00:00:00.000001'");
    lake.change("UPDATE $t SET name = N'c' WHERE at = '2026-01-01T00:00:00.000002'");
    assertThat(reconcile(lake).run().failures())
        .extracting(one -> one.type() + " " + one.key())
        .containsExactlyInAnyOrder(
            "RECORD_DIFF {\"at\":\"2026-01-01T00:00:00.000001\"}",
            "IN_FLIGHT {\"at\":\"2026-01-01T00:00:00.000002\"}");
  }

  @Test
  void aColumnThatTheOptionsNoLongerReadIsNotComparedAndToldSo() throws Exception {
    BackfillFixture lake =
        table(
            "id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL, extra int NULL",
            "(1, N'a', 1), (2, N'b', 2)");
    load(lake, List.of());
    String[] fewer = {"columns", "ID INT, name STRING"};
    lake.change("UPDATE $t SET extra = 5 WHERE id = 1");
    load(lake, List.of(), fewer);
    ReconcileResult result = reconcile(lake, fewer).run();
    assertThat(result.isClean()).as(result.summary()).isTrue();
    assertThat(result.notes())
        .containsExactly("columns that option 'columns' leaves out were not compared: extra");
    assertThatThrownBy(() -> reconcile(lake, "columns", "name STRING").run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Invalid key 'id': option 'columns' leaves it out");
  }

  @Test
  void aTableThatIsNoSilverOfTheSourceIsToldSo() throws Exception {
    BackfillFixture lake = table("id int NOT NULL PRIMARY KEY, n int NULL", "(1, 1)");
    load(lake, List.of());
    assertThatThrownBy(() -> lake.stream().reconcile(lake.path("bronze")).run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("it is a change log, with the column _operation");
    BackfillFixture other = table("code int NOT NULL PRIMARY KEY", "(1)");
    assertThatThrownBy(() -> other.stream().reconcile(lake.path("silver")).keys("code").run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("it has no column 'code', which identifies a row of the source");
    assertThatThrownBy(() -> reconcile(lake).keys().run())
        .hasMessage("Missing keys: .keys() names no column; give at least one, or leave it out");
  }

  @Test
  void chunksOfASnapshotThatStandsWhereOneWasGivenUpAreNotMistakenForItsOwn() throws Exception {
    BackfillFixture lake =
        table("id int NOT NULL PRIMARY KEY, n int NULL", "(1, 1), (2, 2), (3, 3)");
    lake.run(lake.toDelta(lake.stream()));
    var waves = lake.backfill(lake.stream()).chunkRows(1).maxWaves(1).run();
    assertThat(waves.chunksDone()).isPositive();
    lake.stream()
        .abandonSnapshot(lake.path("bronze"))
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"))
        .run();
    lake.run(lake.toDelta(lake.stream()));
    var all = lake.backfill(lake.stream()).chunkRows(1).run();
    assertThat(all.chunksDone()).isEqualTo(3);
    var applied =
        lake.stream()
            .applyChanges(lake.path("bronze"), lake.path("silver"))
            .appId(BackfillFixture.APP_ID)
            .factsTable(lake.path("facts"))
            .run();
    assertThat(applied.rebuilt()).isTrue();
    ReconcileResult result =
        reconcile(lake).appId(BackfillFixture.APP_ID).factsTable(lake.path("facts")).run();
    assertThat(result.isClean()).as(result.summary()).isTrue();
    assertThat(result.notes())
        .singleElement()
        .asString()
        .contains("were not checked: another one at its LSN was given up");
  }
}

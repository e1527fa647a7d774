package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.streaming.Trigger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the snapshots that are there a stream begins with, through the facade. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class HeldSnapshotsContractTest {
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
    lake = table();
  }

  private BackfillFixture table() {
    return BackfillFixture.ofEightRows(database, folder);
  }

  /** The rows of the newest snapshot in a target. */
  private List<String> newest(String target) {
    String table = "delta.`" + lake.path(target) + "`";
    return lake.sql(
        "SELECT concat_ws('|', id, name) FROM "
            + table
            + " WHERE _operation = 0 AND _snapshot = (SELECT max(_snapshot) FROM "
            + table
            + ") ORDER BY 1");
  }

  private AbandonSnapshotRequest abandon(String target) {
    return lake.stream()
        .abandonSnapshot(target)
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"));
  }

  private DeltaStreamRequest into(String target) {
    return lake.stream()
        .toDelta(lake.path(target))
        .appId(BackfillFixture.APP_ID)
        .checkpoint(lake.path("checkpoint"))
        .factsTable(lake.path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(true);
  }

  private static void assertRefused(ThrowingCallable call, ErrorCode code, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(CdcError.class)
        .hasMessageContainingAll(words)
        .satisfies(e -> assertThat(((CdcError) e).code()).isEqualTo(code));
  }

  @Test
  void aPartOfAChunkedSnapshotIsNotTakenForTheWhole() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).maxWaves(1).run().rows()).isEqualTo(4);

    assertThat(abandon(lake.path("bronze")).run()).isPresent();
    lake.change("INSERT INTO $t VALUES (9, N'i')");
    lake.run(
        lake.toDelta(lake.stream())
            .appId("orders-v2")
            .checkpoint(lake.path("checkpoint2"))
            .snapshot(SnapshotMode.FULL));
    assertThat(newest("bronze")).isEqualTo(lake.source());
    lake.stream().snapshot(lake.path("bronze")).run();
    assertThat(lake.sql("SELECT count(*) FROM $bronze")).containsExactly("13");
  }

  @Test
  void aChunkedSnapshotBelongsToTheTargetThatItWasOpenedFor() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertRefused(
        () -> into("other").snapshot(SnapshotMode.CHUNKED).start(),
        ErrorCode.CONFLICTING_WRITER,
        "0x",
        lake.path("other"),
        "abandonSnapshot(\"" + lake.path("bronze") + "\")");
    assertThat(lake.backfill(lake.stream()).run().state()).isEqualTo(BackfillState.DONE);
    assertRefused(() -> into("other").start(), ErrorCode.CONFLICTING_WRITER, "0x", "appId");
    lake.stream()
        .snapshot(lake.path("other"))
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"))
        .run();
    assertThat(newest("other")).isEqualTo(lake.source());

    FileUtils.moveDirectory(folder.resolve("bronze").toFile(), folder.resolve("renamed").toFile());
    lake.run(into("renamed"));
    assertRefused(() -> into("bronze").start(), ErrorCode.CONFLICTING_WRITER, "was dropped");
  }

  @Test
  void anOpenSnapshotIsGivenUpUnderItsOwnTargetHoweverThatIsSpelt() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertRefused(
        () -> abandon(lake.path("renamed")).run(),
        ErrorCode.INVALID_OPTION,
        "'" + lake.path("bronze") + "'");
    BackfillStatus status =
        lake.stream()
            .backfill(lake.path("renamed"))
            .appId(BackfillFixture.APP_ID)
            .factsTable(lake.path("facts"))
            .run();
    assertThat(status.state()).isEqualTo(BackfillState.NO_SNAPSHOT);
    assertThat(status.reason()).contains("abandonSnapshot(\"" + lake.path("bronze") + "\")");
    assertThat(abandon(lake.path("bronze") + "/").run()).isPresent();
    lake.run(into("renamed").snapshot(SnapshotMode.CHUNKED));
  }

  @Test
  void aChunkedSnapshotBelongsToTheTableThatItWasOpenedOf() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    BackfillFixture other = table();
    assertRefused(
        () -> other.backfill(other.stream()).run(),
        ErrorCode.INVALID_TARGET,
        "dbo_" + lake.table(),
        "dbo_" + other.table());
    assertRefused(
        () -> other.run(other.toDelta(other.stream())),
        ErrorCode.CONFLICTING_WRITER,
        "dbo_" + lake.table());
  }

  @Test
  void aSnapshotFromBeforeTheStreamBeganDoesNotCount() throws Exception {
    lake.stream().snapshot(lake.path("bronze")).run();
    lake.change("INSERT INTO $t VALUES (9, N'i')", "DELETE FROM $t WHERE id = 3");
    DeltaStreamRequest latest =
        lake.toDelta(lake.stream("startingLsn", "latest"))
            .bootstrap(false)
            .snapshot(SnapshotMode.FULL);
    lake.run(latest);
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1");
    lake.run(latest);
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).run().state()).isEqualTo(BackfillState.DONE);
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
  }

  @Test
  void aTargetRestoredInTheMiddleOfABackfillIsNoticedAndCanBeReadAnew() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    lake.change("UPDATE $t SET name = N'x' WHERE id = 8");
    lake.run(lake.toDelta(lake.stream()));
    lake.backfill(lake.stream()).maxWaves(1).run();
    lake.sql("RESTORE TABLE $bronze TO VERSION AS OF 1");
    assertRefused(
        () -> lake.backfill(lake.stream()).run(),
        ErrorCode.CONFLICTING_WRITER,
        "wave 0",
        "abandonSnapshot");
    abandon(lake.path("bronze")).run();
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).run().state()).isEqualTo(BackfillState.DONE);
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
  }

  @Test
  void aNewApplicationIsToldWhichChangesComeASecondTime() throws Exception {
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    lake.change("INSERT INTO $t VALUES (9, N'i')");
    lake.run(lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL));
    DeltaStreamRequest next =
        lake.toDelta(lake.stream())
            .appId("orders-v2")
            .checkpoint(lake.path("checkpoint2"))
            .snapshot(SnapshotMode.FULL);
    lake.run(next);
    String told = "SELECT detail FROM $facts WHERE app_id = 'orders-v2' AND batch_id = 0";
    assertThat(lake.sql(told)).singleElement().asString().contains("come a second time", "0x");

    lake.stream().snapshot(lake.path("bronze")).resnapshot(true).run();
    lake.change("INSERT INTO $t VALUES (10, N'j')");
    lake.run(next.appId("orders-v3").checkpoint(lake.path("checkpoint3")));
    assertThat(lake.sql(told.replace("v2", "v3"))).doesNotContain("second time");
    assertThat(lake.sql("SELECT count(*) FROM $bronze WHERE id = 10")).containsExactly("1");
  }
}

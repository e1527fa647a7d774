package io.github.mssqlcdc.backfill;

import static io.github.mssqlcdc.testkit.delta.ChangeRows.lsn;
import static io.github.mssqlcdc.testkit.delta.ChangeRows.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.bronze.BatchKey;
import io.github.mssqlcdc.bronze.BatchRange;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.testkit.delta.ChangeRows;
import io.github.mssqlcdc.testkit.delta.LogCleanup;
import io.github.mssqlcdc.testkit.spark.DiskFaults;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.delta.DeltaLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class WholeSnapshotTest extends WholeSnapshotFixture {
  @Test
  void theTableStandsInBronzeInOneCommit() {
    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);

    assertThat(
            table("bronze")
                .read()
                .selectExpr(
                    "concat_ws('|', _operation, _start_lsn, _snapshot, _commit_ts, _history, id,"
                        + " coalesce(string(_batch_id), string(_chunk), _seqval,"
                        + " string(_command_id), '-'))")
                .orderBy("id")
                .collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactly(
            "0|" + lsn(5) + "|" + lsn(5) + "|2026-10-01 12:00:05|0|1|-",
            "0|" + lsn(5) + "|" + lsn(5) + "|2026-10-01 12:00:05|0|2|-",
            "0|" + lsn(5) + "|" + lsn(5) + "|2026-10-01 12:00:05|0|3|-");
    Commit commit = table("bronze").newestCommits().findFirst().orElseThrow();
    assertThat(commit.userMetadata())
        .isEqualTo(
            "{\"snapshot\": \"DBO_Orders\", \"lsn\": \""
                + lsn(5)
                + "\", \"commit_ts\": \"2026-10-01T12:00:05.000\", \"history\": 0, \"at\":"
                + " \"2026-10-01T09:00:05.000\", \"high_lsn\": \""
                + lsn(5)
                + "\", \"high_at\": \"2026-10-01T09:00:05.000\"}");
    assertThat(commit.transactions())
        .singleElement()
        .satisfies(
            id -> {
              assertThat(id.appId()).isEqualTo("mssql-cdc#whole");
              assertThat(id.version()).isZero();
            });
  }

  @Test
  void theNextOneAsksWhetherTheSourceStillHasWhatItsReadMayHaveSeen() {
    Lsn later = new Lsn(0, 9);
    List<Offset> asked = new ArrayList<>();
    WholeSnapshot snapshot =
        new WholeSnapshot(
            server,
            server.captureInstance(""),
            new BronzeTable(table("bronze"), List.of("id"), List.of()),
            (stamp, maxLsn) -> {
              server.stamp(stamp(later));
              return rows().frame();
            },
            asked::add,
            Clock.systemUTC());
    assertThat(snapshot.run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(asked).isEmpty();

    assertThat(snapshot.history(null)).isZero();

    assertThat(asked).containsExactly(new Offset(later, null, time(9).minusHours(3)));
  }

  @Test
  void itIsToldBeforeTheReadAndAfterIt() {
    snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE);

    String where =
        "|"
            + lsn(5)
            + "|"
            + lsn(5)
            + "|"
            + lsn(5)
            + "|2026-10-01 12:00:05|2026-10-01 12:00:05|2026-10-01 12:00:05|2026-10-01"
            + " 09:00:05|-|bronze.orders|";
    assertThat(facts())
        .containsExactly(
            "orders-v1|-|snapshot_open|0"
                + where
                + "{\"mode\": \"full\", \"kind\": \"bootstrap\", \"generation\": 0, \"open\": 0,"
                + " \"history\": 0, \"at\": \"2026-10-01T09:00:05.000\"}|found",
            "orders-v1|-|bootstrap|3"
                + where
                + "{\"open\": 0, \"history\": 0, \"at\": \"2026-10-01T09:00:05.000\"}|taken");
  }

  @Test
  void aRerunFindsItUnderAnotherSpellingAndReadsNothing() {
    snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE);
    FakeSqlServer again = new FakeSqlServer("dbo_orders", stamp(new Lsn(0, 9)));

    assertThat(snapshot(again, rows()).run(events(), StreamBegin.ANYWHERE)).isEqualTo(AT);

    assertThat(reads).isEqualTo(1);
    assertThat(facts()).hasSize(2);
  }

  @Test
  void aRerunFindsItUnderAnotherInstanceOfTheTable() {
    snapshot(server, rows()).run(null, StreamBegin.ANYWHERE);
    FakeSqlServer later = new FakeSqlServer("dbo_Orders_2", stamp(new Lsn(0, 9)));
    later.alsoKnows("dbo_orders");
    assertThat(snapshot(later, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(reads).isEqualTo(1);
  }

  /** Into tables that hold another one, as they were before, each time. */
  @Test
  void whereverItDiesTheRerunHasItOnceAndTellsOfItOnce() throws Exception {
    snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE);
    Path before = lake;
    List<Path> lakes = new ArrayList<>();
    boolean died = true;
    for (int operations = 0; died; operations++) {
      lake = folder.resolve(String.valueOf(operations));
      FileUtils.copyDirectory(before.toFile(), lake.toFile());
      lakes.add(lake);
      died = dies(operations);
      take();
    }
    assertThat(lakes).hasSizeGreaterThan(9);
    assertThat(counts(lakes, "bronze", "_capture_instance = 'dbo_another'"))
        .hasSameSizeAs(lakes)
        .containsOnly(1L);
    assertThat(counts(lakes, "facts", "event = 'bootstrap' AND rows = 1 AND app_id = 'another'"))
        .hasSameSizeAs(lakes)
        .containsOnly(1L);
  }

  private List<Long> counts(List<Path> lakes, String table, String condition) {
    return lakes.stream()
        .map(
            each ->
                spark
                    .read()
                    .format("delta")
                    .load(each.resolve(table).toString())
                    .where(condition)
                    .selectExpr("'" + each + "' AS lake"))
        .reduce(Dataset::unionAll)
        .orElseThrow()
        .groupBy("lake")
        .count()
        .collectAsList()
        .stream()
        .map(row -> row.getLong(1))
        .toList();
  }

  private void take() {
    SnapshotEvents events =
        new SnapshotEvents(FactsTable.open(table("facts")), "another", "bronze", Clock.systemUTC());
    FakeSqlServer own = new FakeSqlServer("dbo_another", stamp(STAMP));
    own.knowsOfAnotherTable("DBO_Orders");
    snapshot(own, new ChangeRows().snapshot("dbo_another", 5, 1, "x"))
        .run(events, StreamBegin.ANYWHERE);
  }

  private boolean dies(int operations) {
    return DiskFaults.kill(operations, lake, () -> take());
  }

  @Test
  void afterACrashBeforeItsFactsRowTheRowsOfItsOwnCommitAreTold() {
    snapshot(server, rows()).run(null, StreamBegin.ANYWHERE);
    for (int i = 0; i < 5; i++) {
      spark.sql(
          "ALTER TABLE " + table("bronze").ref().sql() + " SET TBLPROPERTIES ('n' = '" + i + "')");
    }

    snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE);

    assertThat(facts())
        .singleElement()
        .asString()
        .startsWith("orders-v1|-|bootstrap|3|")
        .endsWith("|found");
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void theSnapshotOfAnEmptyTableIsFoundByItsCommit() {
    assertThat(snapshot(server, new ChangeRows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    server.stamp(stamp(new Lsn(0, 9)));
    assertThat(snapshot(server, new ChangeRows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void thatOfAnEmptyTableIsFoundByItsFactsOnceTheLogHasDroppedItsCommit() throws Exception {
    SnapshotEvents events =
        new SnapshotEvents(
            FactsTable.open(table("facts")),
            "orders-v1",
            table("bronze").ref().text(),
            Clock.systemUTC());
    snapshot(server, new ChangeRows()).run(events, StreamBegin.ANYWHERE);
    LogCleanup.of(table("bronze"));
    server.stamp(stamp(new Lsn(0, 9)));

    assertThat(snapshot(server, rows()).run(events, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(reads).isEqualTo(1);

    FileUtils.deleteDirectory(lake.resolve("bronze").toFile());
    DeltaLog.clearCache();
    assertThat(snapshot(server, rows()).run(events, StreamBegin.ANYWHERE).lsn())
        .isEqualTo(new Lsn(0, 9));
  }

  @Test
  void aRerunFindsTheOneOfAnInstanceThatWasDisabledSince() {
    snapshot(server, rows()).run(null, StreamBegin.ANYWHERE);
    FakeSqlServer later = new FakeSqlServer("orders_v2", stamp(new Lsn(0, 9)));
    assertThat(snapshot(later, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void anotherTablesSnapshotIsNotIt() {
    snapshot(server, rows()).run(null, StreamBegin.ANYWHERE);
    FakeSqlServer other = new FakeSqlServer("dbo_customers", stamp(new Lsn(0, 9)));
    other.knowsOfAnotherTable("DBO_Orders");
    assertThat(
            snapshot(other, new ChangeRows().snapshot("dbo_customers", 9, 1, "x"))
                .run(null, StreamBegin.ANYWHERE)
                .lsn())
        .isEqualTo(new Lsn(0, 9));
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void oneThatCleanupOvertookIsNotWritten() {
    server.purgeTo(STAMP.next().next());
    assertThatThrownBy(() -> snapshot(server, rows()).run(null, StreamBegin.ANYWHERE))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("Cannot use the snapshot of 'DBO_Orders' at " + lsn(5))
        .hasMessageContaining("min LSN " + lsn(7));
    assertThat(table("bronze").read().count()).isZero();

    server.purgeTo(STAMP.next());
    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
  }

  @Test
  void ofTwoAtTheSameInstantDeltaLetsOneIn() {
    WholeSnapshot overtaken =
        new WholeSnapshot(
            server,
            server.captureInstance(""),
            new BronzeTable(table("bronze"), List.of("id"), List.of()),
            (stamp, maxLsn) -> {
              assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
              return rows().frame();
            },
            position -> {},
            Clock.systemUTC());

    assertThatThrownBy(() -> overtaken.run(null, StreamBegin.ANYWHERE))
        .isInstanceOfSatisfying(
            CdcError.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICTING_WRITER))
        .hasMessageContaining("another run has put a snapshot of the table into it meanwhile");
    assertThat(table("bronze").read().count()).isEqualTo(3);
    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE)).isEqualTo(AT);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void itsTimeIsNotBeforeWhatTheTargetsLastBatchEndedWith() {
    LocalDateTime ahead = time(500);
    append(0, ahead);

    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE))
        .isEqualTo(new Offset(STAMP, ahead, time(5).minusHours(3)));
  }

  @Test
  void batchesWithoutRowsCountThroughTheFacts() {
    append(0, time(3));
    SnapshotEvents events = events();
    events.completed(Purpose.BOOTSTRAP, null, new Offset(STAMP, time(600), null), 0, 1L, null);

    assertThat(snapshot(server, rows()).run(events, StreamBegin.ANYWHERE).commitTs())
        .isEqualTo(time(600));
    assertThat(snapshot(server, rows()).run(events, StreamBegin.ANYWHERE).commitTs())
        .isEqualTo(time(600));
    assertThat(reads).isEqualTo(1);
  }

  private void append(long batchId, LocalDateTime endCommitTs) {
    new BronzeTable(table("bronze"), List.of("id"), List.of())
        .append(
            new ChangeRows().change(2, 3, 9, "x").frame(),
            new BatchKey("orders-v0", batchId),
            new BatchRange(new Lsn(0, 1), new Offset(new Lsn(0, 4), endCommitTs, null)),
            0,
            new BronzeTable.Checks(latest -> {}, () -> true),
            List.of());
  }

  @Test
  void oneWhoseRowsWereDeletedOrRestoredAwayIsTakenAgainAndToldOfAgain() {
    snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE);
    sql("DELETE FROM %s WHERE id = 1");
    server.stamp(stamp(new Lsn(0, 9)));
    assertThat(snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE)).isEqualTo(AT);

    sql("DELETE FROM %s WHERE _operation = 0");
    assertThat(snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE).lsn())
        .isEqualTo(new Lsn(0, 9));

    sql("RESTORE TABLE %s TO VERSION AS OF 0");
    server.stamp(stamp(new Lsn(0, 12)));
    assertThat(snapshot(server, rows()).run(events(), StreamBegin.ANYWHERE).lsn())
        .isEqualTo(new Lsn(0, 12));
    assertThat(facts().stream().filter(row -> row.contains("|bootstrap|"))).hasSize(3);
    assertThat(events().state().current()).isEmpty();
  }

  private void sql(String statement) {
    spark.sql(String.format(statement, table("bronze").ref().sql()));
  }

  @Test
  void oneFromBeforeTheStreamsChangesBeginDoesNotCount() {
    snapshot(server, rows()).run(null, StreamBegin.ANYWHERE);
    server.stamp(stamp(new Lsn(0, 9)));
    assertThat(snapshot(server, rows()).run(null, new StreamBegin(0, STAMP, 0))).isEqualTo(AT);
    assertThat(snapshot(server, rows()).run(null, new StreamBegin(0, STAMP.next(), 0)).lsn())
        .isEqualTo(new Lsn(0, 9));
  }

  @Test
  void aStampThatTheMapDoesNotHoldHasNoTimes() {
    @Nullable MapEntry none = null;
    server.stamp(new SnapshotStamp(STAMP, none, null, STAMP.next()));
    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE))
        .isEqualTo(Offset.of(STAMP));
    assertThat(snapshot(server, rows()).run(null, StreamBegin.ANYWHERE))
        .isEqualTo(Offset.of(STAMP));
  }
}

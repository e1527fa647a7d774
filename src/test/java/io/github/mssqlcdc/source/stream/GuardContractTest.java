package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories in which changes are lost, or only seem to be, by the documented procedures. */
@SuppressWarnings("NullAway.Init")
class GuardContractTest {
  private static TestDatabase database;
  private String table;

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    database.run("CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)", enable("other"));
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void createTable() {
    table = "t" + UUID.randomUUID().toString().substring(0, 8);
    database.run("CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY)", enable(table));
    database.awaitCapture();
  }

  @Test
  void cleanupPastTheNextChangeFailsEachRun() {
    Offset position = last(stream().run(begun(1)));
    insert(2, 3);
    cleanUp(maxLsn());

    for (int run = 0; run < 2; run++) {
      assertThatThrownBy(() -> stream().run(position))
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("capture instance 'dbo_" + table + "'")
          .hasMessageContaining("from " + position.lsn().next())
          .hasMessageContaining("purged by CDC cleanup")
          .hasMessageContaining("A new snapshot is required");
    }
  }

  @Test
  void cleanupUpToThePositionIsNoLossIfABatchFollowedWhatHappenedElsewhere() {
    Offset early = last(stream().run(begun(1)));
    elsewhere();
    List<Batch> idle = stream().run(early);
    assertThat(idle).hasSize(1);
    assertThat(idle.get(0).ids()).isEmpty();
    Offset late = last(idle);
    assertThat(late.commitTs()).isAfterOrEqualTo(early.commitTs());
    cleanUp(late.lsn());

    assertThat(stream().run(late)).isEmpty();
    assertThatThrownBy(
            () -> {
              elsewhere();
              stream().run(early);
            })
        .as("a stream that made no batch since can't know")
        .isInstanceOf(DataLossException.class);
    insert(2);
    assertThat(stream().run(late)).flatExtracting(Batch::ids).containsExactly(2);
  }

  @Test
  void anotherInstancesCleanupIsNoConcern() {
    Offset position = last(stream().run(begun(1)));
    insert(2);
    cleanUp("dbo_other", maxLsn());

    assertThat(stream().run(position)).flatExtracting(Batch::ids).containsExactly(2);
  }

  @Test
  void cleanupBetweenPlanningAndReadFailsTheRead() {
    Offset position = begun();
    insert(1);
    insert(2);
    insert(3);
    DirectStream stream = stream();
    Offset end = stream.next(position);
    List<RangePartition> ranges = stream.plan(position, end);
    assertThat(ranges).hasSizeGreaterThan(1);
    cleanUp(end.lsn());

    for (RangePartition range : ranges.subList(0, ranges.size() - 1)) {
      assertThatThrownBy(() -> stream.read(List.of(range)))
          .isInstanceOf(DataLossException.class)
          .hasMessageContaining("from " + range.range().firstPossibleCommit());
    }
  }

  @Test
  void aReadThatCleanupOvertookMayGoOnAndLeavesOneEvent() {
    Offset position = begun();
    insert(1);
    Offset start = last(stream().run(position));
    insert(2);
    insert(3);
    insert(4);
    DirectStream stream = stream("failOnDataLoss", "false");
    Offset end = stream.next(start);
    List<RangePartition> ranges = stream.plan(start, end);
    cleanUp(end.lsn());

    List<Integer> ids = stream.read(ranges);
    stream.read(ranges);

    Lsn minLsn = minLsn();
    assertThat(ids).doesNotContain(1).contains(4).hasSizeLessThan(3);
    assertThat(Objects.requireNonNull(stream.ledger.current()).skips())
        .as("several ranges, read twice")
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(start.lsn().next());
              assertThat(skip.to()).isEqualTo(minLsn);
              assertThat(skip.fromTs()).isEqualTo(start.commitTs());
              assertThat(skip.toTs()).isNotNull().isAfterOrEqualTo(skip.fromTs());
              assertThat(skip.doubt()).contains("rows may be missing");
            });
  }

  @Test
  void cleanupOverABatchWithoutRowsIsNoProofThatThereWereNone() {
    Offset position = last(stream().run(begun(1)));
    insert(2);
    elsewhere();
    DirectStream stream = stream();
    Offset end = stream.next(position);
    cleanUp(end.lsn());

    assertThatThrownBy(() -> stream.plan(position, end)).isInstanceOf(DataLossException.class);
    assertThat(stream.ledger.current()).isNull();
  }

  @Test
  void aSkipGoesToMinLsnWithOneWarningAndOneEvent() {
    Offset position = begun();
    insert(0);
    Offset start = last(stream().run(position));
    for (int id = 1; id < 6; id++) {
      insert(id);
    }
    Lsn mark = Lsn.of((byte[]) database.query(commitOf(4)).get(0).get(0));
    cleanUp(mark);
    Lsn minLsn = minLsn();
    List<Integer> left = ids(minLsn);

    try (CapturedLog log = CapturedLog.of(Gaps.class)) {
      List<Batch> batches = stream("failOnDataLoss", "false", "maxRowsPerBatch", "1").run(start);

      assertThat(batches).flatExtracting(Batch::ids).containsExactlyElementsOf(left);
      assertThat(batches)
          .flatExtracting(Batch::skips)
          .singleElement()
          .isInstanceOfSatisfying(
              SkippedChanges.class,
              skip -> {
                assertThat(skip.from()).isEqualTo(start.lsn().next());
                assertThat(skip.to()).isEqualTo(minLsn);
                assertThat(skip.fromTs()).isEqualTo(start.commitTs());
                assertThat(skip.toTs()).isNotNull();
                assertThat(skip.doubt()).isNull();
              });
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("skipped the changes from " + start.lsn().next() + " up to min LSN " + minLsn)
          .contains(" UTC): what is below it was purged");
    }
  }

  @Test
  void anInstanceCreatedAgainIsNamedAsTheCause() {
    DirectStream stream = stream();
    Offset position = stream.next(begun(1));
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @capture_instance = N'dbo_"
            + table
            + "'",
        "INSERT INTO dbo." + table + " VALUES (2)",
        enable(table));
    database.awaitCapture();
    insert(3);
    Offset end = stream.next(position);

    assertThatThrownBy(() -> stream.plan(position, end))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("the capture instance was disabled and created again: this one is of")
        .hasMessageContaining("What was changed in between was never captured");
    assertThatThrownBy(() -> stream().run(position))
        .as("by min LSN alone, in a later run")
        .isInstanceOf(DataLossException.class);
  }

  @Test
  void anUnknownInstancesMinLsnPassesForNoPosition() {
    DirectStream stream = stream();
    Offset position = stream.next(begun(1));
    insert(2);
    Offset end = stream.next(position);
    List<RangePartition> ranges = stream.plan(position, end);
    assertThat(ranges).hasSize(1);
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @capture_instance = N'all'");

    assertThatThrownBy(() -> stream.read(ranges)).hasMessageContaining("dbo_" + table);
    assertThatThrownBy(() -> stream.plan(position, end)).hasMessageContaining("dbo_" + table);
  }

  @Test
  void aKeyUpdateStaysInOneBatchWhateverTheCap() {
    Offset start = last(stream().run(begun(1)));
    database.run("UPDATE dbo." + table + " SET id = 10 WHERE id = 1");
    insert(11);

    assertThat(stream("maxRowsPerBatch", "1").run(start))
        .extracting(Batch::ids)
        .containsExactly(List.of(1, 10), List.of(11));
  }

  @Test
  void cappedBatchesOverOtherTablesCommitsMoveOn() {
    Offset start = last(stream().run(begun(1)));
    elsewhere();
    elsewhere();
    insert(2);

    List<Batch> batches = stream("maxCommitsPerBatch", "1", "idleInterval", "1h").run(start);

    assertThat(batches).extracting(Batch::ids).endsWith(List.of(2)).hasSizeGreaterThanOrEqualTo(3);
    assertThat(batches.get(0).ids()).isEmpty();
    assertThat(batches).extracting(batch -> batch.end().lsn()).isSorted().doesNotHaveDuplicates();
    assertThat(batches).extracting(batch -> batch.end().commitTs()).isSorted().doesNotContainNull();
  }

  @Test
  void aRunsTargetIsReadAnewHoweverYoungTheSharedPollIs() {
    Offset start = last(stream("pollInterval", "1h").run(begun(1)));
    insert(2);
    assertThat(stream("pollInterval", "1h").run(start))
        .flatExtracting(Batch::ids)
        .containsExactly(2);
  }

  @Test
  void eachStartBeginsWhereItSays() {
    insert(1);
    Offset first = stream("startingLsn", "latest").begin();
    assertThat(first.lsn()).isEqualTo(maxLsn());
    assertThat(first.at()).isNotNull();
    insert(2);
    String text = first.lsn().toString();

    assertThat(stream().begin()).isEqualTo(Offset.of(minLsn().previous()));
    assertThat(runFromStart()).containsExactly(1, 2);
    assertThat(runFromStart("startingLsn", "latest")).isEmpty();
    assertThat(runFromStart("startingLsn", text)).containsExactly(2);
    assertThat(runFromStart("startingLsn", "0X" + text.substring(2).toLowerCase(Locale.ROOT)))
        .containsExactly(2);
    assertThat(stream("startingLsn", text.toLowerCase(Locale.ROOT)).begin())
        .isEqualTo(Offset.of(first.lsn()));
  }

  private List<Integer> runFromStart(String... more) {
    DirectStream stream = stream(more);
    return stream.run(stream.begin()).stream().flatMap(batch -> batch.ids().stream()).toList();
  }

  private DirectStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_" + table);
    return new DirectStream(options, more);
  }

  /** Where a stream begins that is to read these rows, inserted now. */
  private Offset begun(int... ids) {
    Offset begin = stream().begin();
    if (ids.length > 0) {
      insert(ids);
    }
    return begin;
  }

  private static Offset last(List<Batch> batches) {
    return batches.get(batches.size() - 1).end();
  }

  private void insert(int... ids) {
    for (int id : ids) {
      // commits of their own time: cleanup goes by it
      database.run(
          "INSERT INTO dbo." + table + " VALUES (" + id + ")", "WAITFOR DELAY '00:00:00.010'");
    }
    database.awaitCapture();
  }

  /** A commit on another table. */
  private static void elsewhere() {
    database.run(
        "INSERT INTO dbo.other VALUES (" + (int) (System.nanoTime() & Integer.MAX_VALUE) + ")",
        "WAITFOR DELAY '00:00:00.010'");
    database.awaitCapture();
  }

  private static String enable(String name) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
        + name
        + "', @role_name = NULL";
  }

  private void cleanUp(Lsn mark) {
    cleanUp("dbo_" + table, mark);
  }

  private static void cleanUp(String instance, Lsn mark) {
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'"
            + instance
            + "', @low_water_mark = "
            + mark);
  }

  private static Lsn maxLsn() {
    return lsn("SELECT sys.fn_cdc_get_max_lsn()");
  }

  private Lsn minLsn() {
    return lsn("SELECT sys.fn_cdc_get_min_lsn(N'dbo_" + table + "')");
  }

  private static Lsn lsn(String query) {
    return Lsn.of((byte[]) database.query(query).get(0).get(0));
  }

  private String commitOf(int id) {
    return "SELECT [__$start_lsn] FROM cdc.dbo_" + table + "_CT WHERE id = " + id;
  }

  private List<Integer> ids(Lsn from) {
    return database
        .query(
            "SELECT id FROM cdc.dbo_"
                + table
                + "_CT WHERE [__$start_lsn] >= "
                + from
                + " ORDER BY [__$start_lsn]")
        .stream()
        .map(row -> (Integer) row.get(0))
        .toList();
  }
}

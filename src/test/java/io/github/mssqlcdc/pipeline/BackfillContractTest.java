package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunked snapshot beside its stream, through the facade and against a server. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class BackfillContractTest {
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
    lake = BackfillFixture.ofEightRows(database, folder);
  }

  @Test
  void theStreamStartsAtOnceAndChunksJoinItUntilTheTableIsWhole() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertThat(
            lake.sql(
                "SELECT event, rows, batch_id, lost_from_ts FROM $facts WHERE event IS NOT NULL"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("snapshot_open0null");
    assertThat(lake.sql("SELECT concat_ws('|', entry, kind, keys, lo, hi) FROM $plans"))
        .containsExactly("open|int|[\"id\"]|1|8");

    lake.change(
        "UPDATE $t SET name = N'x' WHERE id = 2",
        "DELETE FROM $t WHERE id = 3",
        "INSERT INTO $t VALUES (9, N'i')");
    List<BackfillStatus> told = new ArrayList<>();
    BackfillStatus first = lake.backfill(lake.stream()).maxWaves(1).listener(told::add).run();
    assertThat(first.state()).isEqualTo(BackfillState.RUNNING);
    assertThat(first.chunksDone()).isEqualTo(2);
    assertThat(first.chunksTotal()).isEqualTo(4);
    assertThat(first.rows()).isEqualTo(4);
    assertThat(first.reason()).contains("1 waves");
    assertThat(first.elapsed()).isPositive();
    assertThat(first.remaining()).isPositive();
    assertThat(told).extracting(BackfillStatus::chunksDone).containsExactly(0, 2);

    lake.change(
        "UPDATE $t SET name = N'y' WHERE id = 8",
        "DELETE FROM $t WHERE id = 7",
        "UPDATE $t SET id = 70 WHERE id = 6",
        "INSERT INTO $t VALUES (3, N'again')");
    BackfillStatus second = lake.backfill(lake.stream()).chunkRows(3).run();
    assertThat(second.state()).isEqualTo(BackfillState.DONE);
    assertThat(second.chunksDone()).isEqualTo(4);
    assertThat(second.chunksTotal()).isEqualTo(4);
    assertThat(second.bytes()).isPositive();
    assertThat(second.reason()).isNull();
    lake.run(lake.toDelta(lake.stream()));

    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
    assertThat(lake.twice("id")).isEmpty();
    BackfillStatus third = lake.backfill(lake.stream()).run();
    assertThat(third.state()).isEqualTo(BackfillState.DONE);
    assertThat(third.rows()).isEqualTo(second.rows());
    assertThat(third.bytes()).isEqualTo(second.bytes());
    assertFacts(second.rows());
    assertThat(lake.stream().snapshot(lake.path("bronze")).run().lsn()).isEqualTo(first.snapshot());
  }

  private void assertFacts(long rows) {
    assertThat(
            lake.sql(
                "SELECT concat_ws('|', d.chunk, d.wave, d.last, read_mb IS NOT NULL, max_lsn >="
                    + " min_lsn) FROM (SELECT *, from_json(detail, 'chunk INT, wave INT, last"
                    + " BOOLEAN') AS d FROM $facts WHERE event = 'snapshot_chunk') ORDER BY 1"))
        .containsExactly(
            "0|0|false|true|true",
            "1|0|false|true|true",
            "2|1|false|true|true",
            "3|1|true|true|true");
    assertThat(
            lake.sql(
                "SELECT concat_ws('|', event, rows, min_lsn = max_lsn, detail LIKE '%\"chunks\":"
                    + " 4%') FROM $facts WHERE event = 'bootstrap'"))
        .containsExactly("bootstrap|" + rows + "|true|true");
    assertThat(
            lake.sql(
                "SELECT concat_ws('|', rows, detail LIKE '%\"chunk_rows\": 2%') FROM $facts WHERE"
                    + " event = 'snapshot_plan'"))
        .containsExactly("0|true");
    assertThat(
            lake.sql(
                "SELECT concat_ws('|', chunk, wave, last, lo IS NULL, lo <=> lag(hi) OVER (ORDER BY"
                    + " chunk), if(last, hi, '-')) FROM $plans WHERE entry = 'chunk' ORDER BY"
                    + " chunk"))
        .containsExactly(
            "0|0|false|true|true|-",
            "1|0|false|false|true|-",
            "2|1|false|false|true|-",
            "3|1|true|false|true|9");
    assertThat(
            lake.sql("SELECT DISTINCT _snapshot <= _start_lsn FROM $bronze WHERE _operation = 0"))
        .containsExactly("true");
  }

  @Test
  void withoutAnOpenThereIsNothingToRead() {
    BackfillStatus status = lake.backfill(lake.stream()).run();
    assertThat(status.state()).isEqualTo(BackfillState.NO_SNAPSHOT);
    assertThat(status.snapshot()).isNull();
    assertThat(status.chunksTotal()).isNull();
    assertThat(status.reason()).contains("start the stream first");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void oneModeAtATimeAndTheOpenOneCanBeGivenUp() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertRefused(
        () -> lake.toDelta(lake.stream()).snapshot(SnapshotMode.FULL).start(), "0x", "open 0");
    assertRefused(
        () ->
            lake.stream()
                .snapshot(lake.path("bronze"))
                .appId(BackfillFixture.APP_ID)
                .factsTable(lake.path("facts"))
                .run(),
        "generation 0",
        "abandonSnapshot");
    BackfillStatus asked = lake.backfill(lake.stream()).maxWaves(0).run();
    assertThat(asked.state()).isEqualTo(BackfillState.RUNNING);
    assertThat(asked.snapshot()).isNotNull();
    assertThat(asked.chunksTotal()).isNull();
    assertThat(asked.reason()).contains("aren't planned yet");
    assertThat(lake.sql("SELECT DISTINCT entry FROM $plans")).containsExactly("open");
    assertThat(lake.backfill(lake.stream()).minHeadroom(Duration.ofDays(9)).run().state())
        .isIn(BackfillState.WAITING_HEADROOM, BackfillState.WAITING_METRICS);

    assertThat(abandon()).isPresent();
    assertThat(abandon()).isEmpty();
    BackfillStatus status = lake.backfill(lake.stream()).run();
    assertThat(status.state()).isEqualTo(BackfillState.NO_SNAPSHOT);
    assertThat(status.reason()).contains("was given up");

    lake.change("INSERT INTO $t VALUES (20, N'late')");
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).run().state()).isEqualTo(BackfillState.DONE);
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
    assertThat(lake.sql("SELECT open FROM $plans WHERE entry = 'open' ORDER BY 1"))
        .containsExactly("0", "1");
  }

  @Test
  void besideARunningStreamAndAWriterTheTableIsRebuilt() throws Exception {
    for (int id = 10; id < 26; id++) {
      database.run("INSERT INTO dbo." + lake.table() + " VALUES (" + id + ", N'old')");
    }
    database.awaitCapture();
    StreamingQuery query =
        lake.toDelta(lake.stream()).trigger(Trigger.ProcessingTime("200 milliseconds")).start();
    // planned before the writer begins, or it would leave fewer keys to plan with
    assertThat(
            lake.backfill(lake.stream()).chunkRows(4).maxDuration(Duration.ZERO).run().chunksDone())
        .isZero();
    List<BackfillStatus> told = new ArrayList<>();
    AtomicBoolean isDone = new AtomicBoolean();
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(isDone));
    BackfillStatus last;
    try {
      last = lake.backfill(lake.stream()).chunkRows(4).listener(told::add).run();
    } finally {
      isDone.set(true);
      writer.join();
    }
    database.awaitCapture();
    query.processAllAvailable();
    query.stop();

    assertThat(last.state()).isEqualTo(BackfillState.DONE);
    assertThat(told).extracting(BackfillStatus::chunksDone).startsWith(0, 2, 4);
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
    assertThat(lake.twice("id")).isEmpty();
    assertThat(
            lake.sql("SELECT DISTINCT _snapshot <= _start_lsn FROM $bronze WHERE _operation = 0"))
        .containsExactly("true");
  }

  /** Updates, deletes, inserts among the keys and above them, and keys that move. */
  private void write(AtomicBoolean isDone) {
    Random random = new Random(25);
    String table = "dbo." + lake.table();
    for (int above = 100; !isDone.get(); above++) {
      int id = 1 + random.nextInt(25);
      switch (random.nextInt(4)) {
        case 0 -> database.run("UPDATE " + table + " SET name = N'x' WHERE id = " + id);
        case 1 -> database.run("DELETE FROM " + table + " WHERE id = " + id);
        case 2 -> database.run("UPDATE " + table + " SET id = " + above + " WHERE id = " + id);
        default ->
            database.run(
                "DELETE FROM " + table + " WHERE id = " + id,
                "INSERT INTO " + table + " VALUES (" + id + ", N'again')");
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Test
  void aGapWhileABackfillRunsGivesTheSnapshotUp() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    lake.change("INSERT INTO $t VALUES (9, N'i')");
    lake.run(lake.toDelta(lake.stream()));
    CdcStream skipping = lake.stream("failOnDataLoss", "false");
    BackfillStatus status =
        lake.backfill(lake.stream())
            .listener(
                told -> {
                  if (told.chunksDone() == 2) {
                    lose();
                    run(lake.toDelta(skipping));
                  }
                })
            .run();

    assertThat(status.state()).isEqualTo(BackfillState.NO_SNAPSHOT);
    assertThat(status.reason()).contains("data_skipped");
    lake.run(lake.toDelta(skipping));
    assertThat(lake.sql("SELECT event FROM $facts WHERE event IN ('snapshot_open', 'bootstrap')"))
        .containsExactly("snapshot_open", "snapshot_open");
  }

  @Test
  void aBackfillReadsNothingBesideAStreamThatHasLostChanges() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    lose();

    assertThatThrownBy(() -> lake.backfill(lake.stream()).run())
        .isInstanceOf(DataLossException.class)
        .hasMessageContainingAll(
            lake.path("bronze"), "'orders-v1' has read up to 0x", "retention", "failOnDataLoss");
    assertThat(lake.sql("SELECT event FROM $facts WHERE event = 'snapshot_chunk'")).isEmpty();
  }

  private void lose() {
    lake.change("DELETE FROM $t WHERE id = 1");
    database.run("WAITFOR DELAY '00:00:00.010'");
    lake.change("INSERT INTO $t VALUES (10, N'j')");
    byte[] max = (byte[]) database.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0);
    database.run(
        "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_"
            + lake.table()
            + "', @low_water_mark = 0x"
            + HexFormat.of().formatHex(max));
    lake.change("INSERT INTO $t VALUES (11, N'k')");
  }

  private void run(DeltaStreamRequest request) {
    try {
      lake.run(request);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void columnsThatAreNoLongerReadAreUnknownAndKeepTheirValues() throws Exception {
    lake.change("INSERT INTO $t VALUES (9, N'i')");
    lake.run(lake.toDelta(lake.stream()));
    lake.change("UPDATE $t SET name = N'x' WHERE id = 1");
    lake.run(lake.toDelta(lake.stream()));
    String[] fewer = {"columns", "id INT"};

    assertThat(lake.backfill(lake.stream(fewer)).run().state()).isEqualTo(BackfillState.DONE);
    lake.change("DELETE FROM $t WHERE id = 8", "INSERT INTO $t VALUES (20, N'new')");
    lake.run(lake.toDelta(lake.stream(fewer)));

    assertThat(
            lake.sql(
                "SELECT _operation, _unknown_columns = array('name'), name, count(*) FROM $bronze"
                    + " GROUP BY ALL ORDER BY 1, 2"))
        .containsExactly("0truenull9", "1truenull1", "2truenull1", "3nulla1", "4nullx1");
  }

  @Test
  void whereEventsWereDeletedFromTheFactsTheSnapshotIsGivenUpAndAnotherOpened() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    lake.backfill(lake.stream()).maxWaves(1).run();
    lake.sql("DELETE FROM $facts");

    assertThatThrownBy(() -> lake.toDelta(lake.stream()).start())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(lake.path("bronze"), "open 0", "row is gone", "abandonSnapshot");
    assertThat(abandon()).isPresent();
    assertThat(abandon()).isEmpty();
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.backfill(lake.stream()).run().state()).isEqualTo(BackfillState.DONE);
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
  }

  @Test
  void ofTwoBackfillsTheOneThatReadsWhatTheOtherSawAsEmptyCommitsNothing() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    AtomicBoolean isDone = new AtomicBoolean();
    BackfillRequest wider =
        lake.backfill(lake.stream("numPartitions", "4"))
            .chunkRows(1)
            .listener(
                told -> {
                  if (told.chunksDone() == 4 && !isDone.getAndSet(true)) {
                    while (lake.sql("SELECT wave FROM $plans WHERE entry = 'wave'").isEmpty()) {
                      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                    }
                    lake.change("DELETE FROM $t WHERE id IN (5, 6)");
                    assertThat(
                            lake.backfill(lake.stream())
                                .chunkRows(1)
                                .maxWaves(1)
                                .run()
                                .chunksDone())
                        .isEqualTo(6);
                    lake.change("INSERT INTO $t VALUES (5, N'again'), (6, N'again')");
                  }
                });

    assertThatThrownBy(wider::run)
        .satisfies(e -> assertThat(((CdcError) e).code()).isEqualTo(ErrorCode.CONFLICTING_WRITER));
    assertThat(lake.backfill(lake.stream()).chunkRows(1).run().state())
        .isEqualTo(BackfillState.DONE);
    lake.run(lake.toDelta(lake.stream()));
    assertThat(lake.rebuilt("id", "id, name")).isEqualTo(lake.source());
    assertThat(lake.twice("id")).isEmpty();
  }

  private java.util.Optional<?> abandon() {
    return lake.stream()
        .abandonSnapshot(lake.path("bronze"))
        .appId(BackfillFixture.APP_ID)
        .factsTable(lake.path("facts"))
        .run();
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll(words)
        .satisfies(e -> assertThat(((CdcError) e).code()).isEqualTo(ErrorCode.SNAPSHOT_OPEN));
  }

  @Test
  void anotherKeyThanAtTheOpenIsRefused() throws Exception {
    lake.run(lake.toDelta(lake.stream()));
    assertThatThrownBy(() -> lake.backfill(lake.stream("snapshotKeys", "[\"name\"]")).run())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContainingAll("[id]", "[name]", "abandonSnapshot");
  }
}

package io.github.mssqlcdc.source;

import static io.github.mssqlcdc.testkit.source.FakeSqlServer.lsn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
class StreamTest {
  private final String name = "fake_" + UUID.randomUUID();
  private final FakeSqlServer server = new FakeSqlServer();
  private final StreamLedger ledger = new StreamLedger();
  private final Map<String, String> options = new HashMap<>();
  private final Batches batches = new Batches();

  @SuppressWarnings("NullAway.Init")
  private FakeStream stream;

  @BeforeEach
  void register(@TempDir Path folder) {
    stream = new FakeStream(options, folder, batches);
    JvmRegistry.shared(FakeSqlServer.class, name, () -> server);
    JvmRegistry.shared(BatchLedger.class, name, () -> ledger);
    options.put("url", "jdbc:sqlserver://fake;databaseName=fake");
    options.put("captureInstance", name);
    options.put("numPartitions", "2");
    options.put("_ledger", name);
  }

  @AfterEach
  void forget() {
    JvmRegistry.remove(FakeSqlServer.class, name);
    JvmRegistry.remove(BatchLedger.class, name);
  }

  @Test
  void readsEveryChangeOnceAcrossRuns() throws Exception {
    server.insert(1, 2);
    server.insert(3);
    stream.run(batches);
    server.insert(4);
    stream.run(batches);
    stream.run(batches);

    assertThat(batches.ids).containsExactly(List.of(1, 2, 3), List.of(4));
  }

  @Test
  void givesRowsTheirMetadataColumns() throws Exception {
    server.insert(1);
    List<Row> rows = new ArrayList<>();

    stream.run((batch, id) -> rows.addAll(batch.collectAsList()));

    Row row = rows.get(0);
    assertThat(row.schema().fieldNames())
        .containsExactly(
            "_capture_instance",
            "_start_lsn",
            "_seqval",
            "_operation",
            "_command_id",
            "_commit_ts",
            "id",
            "name");
    assertThat(row.toSeq().mkString("|"))
        .isEqualTo(
            "dbo_orders|"
                + lsn(10)
                + "|0x000000000000000A0001|2|1|"
                + FakeSqlServer.EPOCH.plusMinutes(1).plusHours(3)
                + "|1|row 1");
  }

  @Test
  void endsBatchesAtTheCapOfCommits() throws Exception {
    options.put("maxCommitsPerBatch", "3");
    for (int id = 0; id < 10; id++) {
      server.insert(id);
    }

    stream.run(batches);

    assertThat(batches.sizes()).containsExactly(3, 3, 3, 1);
    assertThat(batches.lastEnd())
        .isEqualTo(
            "{\"lsn\":\""
                + lsn(19)
                + "\",\"commit_ts\":\"2026-11-01T15:10:00.000\",\"at\":\"2026-11-01T12:10:00.000\"}");
  }

  @Test
  void endsBatchesAtTheCapOfRows() throws Exception {
    options.put("maxRowsPerBatch", "4");
    for (int commit = 0; commit < 5; commit++) {
      server.insert(2 * commit, 2 * commit + 1);
    }
    server.insert(20, 21, 22, 23, 24, 25);

    stream.run(batches);

    assertThat(batches.sizes()).containsExactly(4, 4, 2, 6);
  }

  @Test
  void leavesCommitsAfterTheTriggerBeganToTheNextRun() throws Exception {
    server.insert(1);
    AtomicBoolean added = new AtomicBoolean();
    VoidFunction2<Dataset<Row>, Long> adding =
        (batch, id) -> {
          batches.call(batch, id);
          if (added.compareAndSet(false, true)) {
            server.insert(2);
          }
        };

    stream.run(adding);
    assertThat(batches.ids).containsExactly(List.of(1));
    stream.run(adding);
    assertThat(batches.ids).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void replaysAnUncommittedBatchExactly() {
    options.put("maxCommitsPerBatch", "2");
    server.insert(1);
    server.insert(2);
    assertThatThrownBy(
            () ->
                stream.run(
                    (batch, id) -> {
                      batches.call(batch, id);
                      throw new IllegalStateException("crash");
                    }))
        .isInstanceOf(StreamingQueryException.class);
    server.insert(3);
    server.insert(4);

    assertThat(stream.runQuietly(batches)).isNull();

    assertThat(batches.ids).containsExactly(List.of(1, 2), List.of(1, 2), List.of(3, 4));
    assertThat(batches.batchIds).containsExactly(0L, 0L, 1L);
  }

  @Test
  void replaysTheFirstBatchFromWhereItBegan() throws Exception {
    server.insert(1);
    server.insert(2);
    VoidFunction2<Dataset<Row>, Long> crash =
        (batch, id) -> {
          throw new IllegalStateException("crash");
        };
    assertThat(stream.runQuietly(crash)).hasStackTraceContaining("crash");
    server.purge(lsn(11));

    assertThat(stream.runQuietly(batches))
        .as("1 was there when it began")
        .hasCauseInstanceOf(DataLossException.class);

    options.put("startingLsn", "latest");
    options.put("failOnDataLoss", "false");
    stream.run(batches);
    assertThat(batches.ids).as("whatever the option says by then").containsExactly(List.of(2));
  }

  @Test
  void readsNothingOfAReplayThatTheTargetHolds() {
    server.insert(1);
    assertThatThrownBy(
            () ->
                stream.run(
                    (batch, id) -> {
                      throw new IllegalStateException("crash after the append");
                    }))
        .isInstanceOf(StreamingQueryException.class);
    ledger.heldThrough(lsn(10));
    server.calls().clear();

    assertThat(stream.runQuietly(batches)).isNull();

    assertThat(batches.ids).containsExactly(List.of());
    assertThat(server.calls()).doesNotContain("planChanges", "readChanges");
  }

  @Test
  void makesABatchOfACheckpointThatStartsAtTheHead() throws Exception {
    server.insert(1);
    options.put("startingLsn", "latest");

    stream.run(batches);
    assertThat(batches.ids).containsExactly(List.of());
    assertThat(total().rows()).isZero();

    server.insert(2);
    stream.run(batches);
    assertThat(batches.ids).containsExactly(List.of(), List.of(2));
  }

  @Test
  void startsBeforeAnythingWasCaptured() throws Exception {
    options.put("startingLsn", "latest");

    stream.run(batches);
    server.insert(1);
    stream.run(batches);

    assertThat(batches.ids).containsExactly(List.of(), List.of(1));
  }

  @Test
  void movesOnOverIdleEntriesWithoutReading() throws Exception {
    server.insert(1);
    stream.run(batches);
    server.idle();
    server.calls().clear();

    stream.run(batches);

    assertThat(batches.ids).containsExactly(List.of(1), List.of());
    assertThat(server.calls()).contains("planChanges").doesNotContain("readChanges");
    assertThat(ledgerBatch().end().lsn()).isEqualTo(lsn(11));
  }

  @Test
  void measuresWhatItsRangesRead() throws Exception {
    server.insert(1, 2);
    server.insert(3);

    stream.run(batches);

    RangeMeasure total = total();
    assertThat(total.rows()).isEqualTo(3);
    assertThat(total.inserts()).isEqualTo(3);
    assertThat(total.bytes()).isEqualTo(3 * (4 + "row 1".length()));
    assertThat(total.minLsn()).isEqualTo(lsn(10).toString());
    assertThat(total.maxLsn()).isEqualTo(lsn(11).toString());
    assertThat(total.maxCommitTs()).isEqualTo(FakeSqlServer.EPOCH.plusMinutes(2).plusHours(3));
    assertThat(total.networkWaitMs()).isEqualTo(4);
    assertThat(total.seconds()).isPositive();
  }

  @Test
  void countsABatchThatIsReadTwiceOnceAndAFailedAttemptNever() throws Exception {
    server.insert(1, 2, 3);
    AtomicInteger reads = new AtomicInteger();
    server.beforeTail(
        () -> {
          if (reads.getAndIncrement() == 0) {
            throw new IllegalStateException("the connection broke");
          }
        });
    List<Object> measured = new ArrayList<>();

    stream.run(
        (batch, id) -> {
          assertThatThrownBy(batch::count).hasMessageContaining("the connection broke");
          measured.add(String.valueOf(ledgerBatch().measure().total()));
          batch.count();
          measured.add(total().rows());
          batch.count();
          measured.add(total().rows());
        });

    assertThat(reads).hasValue(3);
    assertThat(measured).containsExactly("null", 3L, 3L);
  }

  @Test
  void failsInEachRunWhenCleanupHasPassedThePosition() throws Exception {
    server.insert(1);
    stream.run(batches);
    server.insert(2);
    server.insert(3);
    server.purge(lsn(12));

    for (int run = 0; run < 2; run++) {
      assertThat(stream.runQuietly(batches))
          .hasRootCauseInstanceOf(DataLossException.class)
          .rootCause()
          .hasMessageContaining(lsn(10).next().toString())
          .hasMessageContaining(lsn(12).toString());
    }
    assertThat(batches.ids).containsExactly(List.of(1));
  }

  @Test
  void failsWhenCleanupPassesTheRangeWhileItIsRead() {
    server.insert(1);
    server.insert(2);
    server.beforeTail(() -> server.purge(lsn(11)));

    assertThat(stream.runQuietly(batches)).hasRootCauseInstanceOf(DataLossException.class);
    assertThat(batches.ids).isEmpty();
  }

  @Test
  void goesOnWithWhatIsLeftOnRequest() throws Exception {
    options.put("failOnDataLoss", "false");
    for (int id = 0; id < 10; id++) {
      server.insert(id);
    }
    options.put("startingLsn", lsn(10).previous().toString());
    server.purge(lsn(16));

    stream.run(batches);

    assertThat(batches.ids).containsExactly(List.of(6, 7, 8, 9));
    assertThat(ledgerBatch().skips()).hasSize(1);
  }

  @Test
  void tellsOfAReadThatCleanupOvertookOnceHoweverOftenItIsRead() throws Exception {
    options.put("failOnDataLoss", "false");
    server.insert(1);
    server.insert(2);
    server.beforeTail(() -> server.purge(lsn(11)));

    stream.run(
        (batch, id) -> {
          batch.count();
          batch.count();
        });

    assertThat(ledgerBatch().skips())
        .singleElement()
        .satisfies(
            skip -> {
              assertThat(skip.from()).isEqualTo(lsn(10));
              assertThat(skip.to()).isEqualTo(lsn(11));
              assertThat(skip.doubt()).contains("rows may be missing");
            });
  }

  @Test
  void readsAProjectionGivenAsSchema() throws Exception {
    server.insert(7);
    List<String> rows = new ArrayList<>();
    DataStreamReader reader =
        stream.reader().schema(StructType.fromDDL("name STRING, _operation INT, id BIGINT"));

    stream.run(
        reader,
        (batch, id) -> batch.collectAsList().forEach(row -> rows.add(row.toSeq().mkString("|"))));

    assertThat(rows).containsExactly("row 7|2|7");
  }

  @Test
  void refusesASchemaThatIsNotCaptured() {
    DataStreamReader reader = stream.reader().schema(StructType.fromDDL("price INT"));

    assertThatThrownBy(() -> stream.run(reader, batches))
        .rootCause()
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("price");
  }

  @Test
  void describesItselfInTheProgress() throws Exception {
    server.insert(1);

    StreamingQueryProgress progress = stream.run(batches);

    assertThat(progress.sources()[0].description()).isEqualTo("mssql_cdc[dbo_orders]");
    assertThat(progress.sources()[0].metrics())
        .containsEntry("maxLsn", lsn(10).toString())
        .containsEntry("captureLagSeconds", "3");
    server.setCaptureLag(Duration.ofMinutes(20));
    server.idle();
    assertThat(stream.run(batches).sources()[0].metrics())
        .as("grows while nothing comes")
        .containsEntry("captureLagSeconds", "1200");
  }

  private RangeMeasure total() {
    return Objects.requireNonNull(ledgerBatch().measure().total());
  }

  private BatchLedger.Batch ledgerBatch() {
    return Objects.requireNonNull(ledger.current());
  }
}

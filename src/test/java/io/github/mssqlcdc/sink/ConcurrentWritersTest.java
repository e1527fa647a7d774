package io.github.mssqlcdc.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.StreamLedger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Many writers on one facts table, and people who look after the tables meanwhile. */
final class ConcurrentWritersTest extends SinkFixture {
  private static final int SINKS = 2;
  private static final int WRITERS = 20;
  private static final int BATCHES = 2;
  private static final int ROUNDS = 3;

  private String bronzeOf(int writer) {
    return folder.resolve("bronze" + writer).toString();
  }

  /** A stream as far as it writes: some with rows, most with facts only, to be quick. */
  private void write(int writer) {
    FactsTable facts = FactsTable.open(facts());
    String id = "stream" + writer;
    StreamLedger own = new StreamLedger();
    BatchSink sink =
        new BatchSink(
            id,
            0,
            new BronzeTable(open(bronzeOf(writer)), List.of("id"), List.of()),
            facts,
            own,
            CLOCK);
    for (int batch = 0; batch < BATCHES; batch++) {
      if (writer < SINKS) {
        own.planned(
            offset(batch * 2L),
            offset(batch * 2L + 2),
            1,
            new BatchMeasure(null, null, null, null, null));
        own.reported(offset(batch * 2L), offset(batch * 2L + 2), 0, measure());
        sink.call(rows(), (long) batch);
      } else {
        FactsRow row =
            FactsRow.EMPTY.with(FactsColumn.APP_ID, id).with(FactsColumn.BATCH_ID, (long) batch);
        assertThat(facts.appendBatch(id, batch, List.of(row))).isTrue();
      }
    }
  }

  private void lookAfter(int round) {
    String table = facts().ref().sql();
    spark.sql("OPTIMIZE " + table);
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('round' = '" + round + "')");
    if (round == 0) {
      spark.sql("ALTER TABLE " + table + " ADD COLUMNS (owner STRING)");
    }
    for (int writer = 0; writer < SINKS; writer++) {
      if (open(bronzeOf(writer)).exists()) {
        spark.sql("OPTIMIZE " + open(bronzeOf(writer)).ref().sql());
      }
    }
  }

  @Test
  void twentyStreamsShareAFactsTableThatIsCompactedAndAlteredMeanwhile() {
    Map<String, String> settings = settings();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      CompletableFuture<?> all =
          CompletableFuture.allOf(
              IntStream.range(0, WRITERS)
                  .mapToObj(n -> CompletableFuture.runAsync(() -> write(n), threads))
                  .toArray(CompletableFuture[]::new));
      var unused = FactsTable.open(facts());
      for (int round = 0; round < ROUNDS && !all.isDone(); round++) {
        lookAfter(round);
      }
      all.join();
    } finally {
      threads.shutdown();
    }

    assertThat(facts().read().selectExpr("app_id", "batch_id").collectAsList())
        .extracting(Row::toString)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, WRITERS)
                .boxed()
                .flatMap(n -> Stream.of("[stream" + n + ",0]", "[stream" + n + ",1]"))
                .toList());
    for (int writer = 0; writer < SINKS; writer++) {
      assertThat(open(bronzeOf(writer)).read().count()).isEqualTo(4L * BATCHES);
    }
    assertThat(settings()).isEqualTo(settings);
  }

  private Map<String, String> settings() {
    Map<String, String> settings =
        new HashMap<>(CollectionConverters.asJava(spark.conf().getAll()));
    // Delta's own, set with its first commit
    settings.remove("spark.databricks.delta.lastCommitVersionInSession");
    settings.keySet().removeIf(name -> name.startsWith("spark.sql.parquet.fieldId."));
    return settings;
  }
}

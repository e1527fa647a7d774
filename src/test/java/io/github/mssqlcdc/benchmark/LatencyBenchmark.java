package io.github.mssqlcdc.benchmark;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A warm batch of ten commits, with its facts, against the barest {@code foreachBatch} append of
 * the same rows from memory: both queries run all the time, and take turns.
 */
final class LatencyBenchmark implements Benchmark {
  private static final int WARM_UPS = 15;
  private static final int RUNS = 25;
  private static final double MOST = 1.5;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public Result run() throws Exception {
    try (Bench bench = Bench.start()) {
      StreamingQuery product = bench.stream(Map.of("pollInterval", "10ms"));
      bench.commits();
      bench.capture();
      long first = Bench.batchAfter(product, -1).batchId();
      Dataset<Row> rows =
          bench.spark().read().format("delta").load(bench.path("bronze")).where("_batch_id >= 0");
      MemoryStream<Row> memory =
          new MemoryStream<>(1, bench.spark(), Option.empty(), Encoders.row(rows.schema()));
      StreamingQuery bare = bare(bench, memory);
      Turns turns = new Turns(bench, product, memory, bare, first);
      Comparison comparison =
          Comparison.inTurn(
              "", Comparison.Better.LOWER, 1 / MOST, WARM_UPS, RUNS, turns::ours, turns::theirs);
      product.stop();
      bare.stop();
      return new Result(name(), "ms", List.of(comparison));
    }
  }

  private static StreamingQuery bare(Bench bench, MemoryStream<Row> memory) throws Exception {
    String path = bench.path("bare");
    return memory
        .toDF()
        .writeStream()
        .foreachBatch(
            (Dataset<Row> batch, Long batchId) ->
                batch.write().format("delta").mode("append").save(path))
        .option("checkpointLocation", bench.path("bare-checkpoint"))
        .trigger(Trigger.ProcessingTime(0))
        .start();
  }

  /** The product's batch, then the same rows through the other query. */
  private static final class Turns {
    private final Bench bench;
    private final StreamingQuery product;
    private final MemoryStream<Row> memory;
    private final StreamingQuery bare;
    private long ownLast;
    private long otherLast = -1;

    Turns(
        Bench bench,
        StreamingQuery product,
        MemoryStream<Row> memory,
        StreamingQuery bare,
        long ownLast) {
      this.bench = bench;
      this.product = product;
      this.memory = memory;
      this.bare = bare;
      this.ownLast = ownLast;
    }

    Sample ours() throws Exception {
      bench.commits();
      return sample(
          () -> {
            bench.capture();
            StreamingQueryProgress batch = Bench.batchAfter(product, ownLast);
            ownLast = batch.batchId();
            return batch;
          });
    }

    Sample theirs() throws Exception {
      List<Row> rows = rows();
      return sample(
          () -> {
            memory.addData(CollectionConverters.asScala(rows).toSeq());
            StreamingQueryProgress batch = Bench.batchAfter(bare, otherLast);
            otherLast = batch.batchId();
            return batch;
          });
    }

    private List<Row> rows() {
      return bench
          .spark()
          .read()
          .format("delta")
          .load(bench.path("bronze"))
          .where("_batch_id = " + ownLast)
          .collectAsList();
    }

    /** By the query's own clock: ours waits for capture before. */
    private static Sample sample(Batch batch) throws Exception {
      StreamingQueryProgress[] made = new StreamingQueryProgress[1];
      Cost cost = Meter.process(() -> made[0] = batch.run());
      long millis = made[0].durationMs().get("triggerExecution");
      return new Sample(millis, millis / 1e3, cost.cpuSeconds());
    }

    @FunctionalInterface
    private interface Batch {
      StreamingQueryProgress run() throws Exception;
    }
  }
}

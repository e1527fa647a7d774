package io.github.mssqlcdc.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
final class LatencyBenchmark {
  private static final int WARM_UPS = 8;
  private static final int RUNS = 25;

  private final PrintStream out;

  LatencyBenchmark(PrintStream out) {
    this.out = out;
  }

  void run() throws Exception {
    try (Bench bench = Bench.start()) {
      StreamingQuery product = bench.stream("10ms");
      bench.commits();
      bench.capture();
      product.processAllAvailable();
      Dataset<Row> rows =
          bench.spark().read().format("delta").load(bench.path("bronze")).where("_batch_id >= 0");
      MemoryStream<Row> memory =
          new MemoryStream<>(1, bench.spark(), Option.empty(), Encoders.row(rows.schema()));
      StreamingQuery bare = bare(bench, memory);
      measure(bench, product, memory, bare);
      product.stop();
      bare.stop();
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

  private void measure(
      Bench bench, StreamingQuery product, MemoryStream<Row> memory, StreamingQuery bare)
      throws Exception {
    List<Long> ours = new ArrayList<>();
    List<Long> theirs = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int run = 0; run < WARM_UPS + RUNS; run++) {
      bench.commits();
      bench.capture();
      product.processAllAvailable();
      long own = lastBatch(product);
      List<Row> rows =
          bench
              .spark()
              .read()
              .format("delta")
              .load(bench.path("bronze"))
              .where("_batch_id = " + lastBatchId(product))
              .collectAsList();
      memory.addData(CollectionConverters.asScala(rows).toSeq());
      bare.processAllAvailable();
      long other = lastBatch(bare);
      if (run >= WARM_UPS) {
        ours.add(own);
        theirs.add(other);
        ratios.add((double) own / other);
      }
    }
    print("with facts, from SQL Server", ours);
    print("barest append, from memory", theirs);
    out.printf(
        Locale.ROOT,
        "ratio of the medians %.2f; median of the pairs' ratios %.2f (%d pairs, %d rows each)%n",
        median(ours) / median(theirs),
        quantile(ratios, 0.5),
        RUNS,
        Bench.COMMITS * Bench.ROWS_PER_COMMIT);
  }

  private void print(String what, List<Long> millis) {
    List<Double> values = millis.stream().map(Long::doubleValue).toList();
    out.printf(
        Locale.ROOT,
        "%-28s median %4.0f ms   10%% %4.0f ms   90%% %4.0f ms%n",
        what,
        quantile(values, 0.5),
        quantile(values, 0.1),
        quantile(values, 0.9));
  }

  private static double median(List<Long> millis) {
    return quantile(millis.stream().map(Long::doubleValue).toList(), 0.5);
  }

  private static double quantile(List<Double> values, double part) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.round(part * (sorted.size() - 1)));
  }

  private static long lastBatch(StreamingQuery query) {
    return last(query).durationMs().get("triggerExecution");
  }

  private static long lastBatchId(StreamingQuery query) {
    return last(query).batchId();
  }

  /** The newest batch that had rows. */
  private static StreamingQueryProgress last(StreamingQuery query) {
    return Arrays.stream(query.recentProgress())
        .filter(progress -> progress.numInputRows() > 0)
        .reduce((first, second) -> second)
        .orElseThrow(() -> new IllegalStateException("No batch with rows yet"));
  }
}

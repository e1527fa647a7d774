package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.StandIn.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;

/**
 * The statement batches that a warm stream sends: between two batches, and for a batch that is read
 * in one range; and how long such a batch takes where each of them takes 200 ms more.
 */
final class RoundTripBenchmark implements Benchmark {
  private static final int RUNS = 5;
  private static final int ROWS = 1;
  private static final Duration IDLE = Duration.ofSeconds(3);
  private static final Duration DELAY = Duration.ofMillis(200);
  private static final double MOST_MS = 1_500;

  @Override
  public String name() {
    return "roundtrips";
  }

  @Override
  public Result run() throws Exception {
    try (Bench bench = Bench.start();
        DelayProxy network = new DelayProxy(bench.standIn().port())) {
      StreamingQuery query =
          bench.stream(Map.of("url", bench.url(network.port()), "pollInterval", "100ms"));
      long last = -1;
      for (int warmUp = 0; warmUp < RUNS; warmUp++) {
        last = batch(bench, query, last).batchId();
      }
      List<Sample> polls = List.of(Sample.of(idle(bench)));
      List<Sample> plans = new ArrayList<>();
      List<Sample> ranges = new ArrayList<>();
      List<Sample> delayed = new ArrayList<>();
      for (int run = 0; run < RUNS; run++) {
        bench.standIn().clearRequests();
        last = batch(bench, query, last).batchId();
        Map<String, Long> sent = sent(bench);
        plans.add(Sample.of(sent.getOrDefault("plan", 0L) + sent.getOrDefault("other", 0L)));
        ranges.add(Sample.of(sent.getOrDefault("range", 0L)));
        network.delay(DELAY);
        StreamingQueryProgress batch = batch(bench, query, last);
        last = batch.batchId();
        network.delay(Duration.ZERO);
        delayed.add(Sample.of(batch.durationMs().get("triggerExecution")));
      }
      query.stop();
      return new Result(
          name(),
          "statement batches, or ms",
          List.of(
              Comparison.atMost("idle poll", 1, polls),
              Comparison.atMost("planning a batch", 2, plans),
              Comparison.atMost("range", 1, ranges),
              Comparison.atMost("batch, " + DELAY.toMillis() + " ms each (ms)", MOST_MS, delayed)));
    }
  }

  /** A commit of ten rows. */
  private static StreamingQueryProgress batch(Bench bench, StreamingQuery query, long last)
      throws Exception {
    bench.commits(ROWS, 10);
    bench.capture();
    return Bench.batchAfter(query, last);
  }

  /** Statement batches per poll. */
  private static double idle(Bench bench) throws InterruptedException {
    bench.standIn().clearRequests();
    Thread.sleep(IDLE.toMillis());
    Map<String, Long> sent = sent(bench);
    double polls = sent.getOrDefault("poll", 0L) + sent.getOrDefault("end of batch", 0L);
    return sent.values().stream().mapToLong(Long::longValue).sum() / polls;
  }

  private static Map<String, Long> sent(Bench bench) {
    return bench.standIn().requests().stream()
        .map(Received::sql)
        .collect(
            Collectors.groupingBy(
                RoundTripBenchmark::purpose, TreeMap::new, Collectors.counting()));
  }

  private static String purpose(String sql) {
    if (sql.contains("@end AS end_lsn")) {
      return "end of batch";
    }
    if (sql.contains("@rows AS row_count")) {
      return "plan";
    }
    if (sql.contains("m.[tran_end_time]")) {
      return "range";
    }
    return sql.contains("fn_cdc_get_max_lsn") ? "poll" : "other";
  }
}

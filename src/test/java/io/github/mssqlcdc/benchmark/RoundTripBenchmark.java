package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.StandIn.Received;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.streaming.StreamingQuery;

/** Counts what a warm stream sends to the server, by its purpose. */
final class RoundTripBenchmark {
  private static final Duration IDLE = Duration.ofSeconds(3);

  private final PrintStream out;

  RoundTripBenchmark(PrintStream out) {
    this.out = out;
  }

  void run() throws Exception {
    try (Bench bench = Bench.start()) {
      StreamingQuery query = bench.stream("250ms");
      for (int warmUp = 0; warmUp < 3; warmUp++) {
        batch(bench, query);
      }
      bench.standIn().clearRequests();
      Thread.sleep(IDLE.toMillis());
      print("idle for " + IDLE.toSeconds() + " s, pollInterval 250ms", bench.standIn().requests());

      bench.commits();
      bench.standIn().clearRequests();
      bench.capture();
      query.processAllAvailable();
      print("a batch of " + Bench.COMMITS + " commits", bench.standIn().requests());
      query.stop();
    }
  }

  private static void batch(Bench bench, StreamingQuery query) throws Exception {
    bench.commits();
    bench.capture();
    query.processAllAvailable();
  }

  private void print(String what, List<Received> requests) {
    Map<String, Long> byPurpose =
        requests.stream()
            .collect(
                Collectors.groupingBy(
                    request -> purpose(request.sql()), TreeMap::new, Collectors.counting()));
    out.println(what + ": " + requests.size() + " statement batches " + byPurpose);
    requests.stream()
        .filter(request -> purpose(request.sql()).equals("other"))
        .forEach(request -> out.println("  other: " + request.sql()));
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

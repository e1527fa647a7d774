package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.StandIn.Received;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
      long last = -1;
      for (int warmUp = 0; warmUp < 3; warmUp++) {
        bench.commits();
        bench.capture();
        last = Bench.batchAfter(query, last).batchId();
      }
      Set<Integer> warm = sessions(bench.standIn().requests());
      bench.standIn().clearRequests();
      Thread.sleep(IDLE.toMillis());
      print(
          "idle for " + IDLE.toSeconds() + " s, pollInterval 250ms",
          bench.standIn().requests(),
          warm);

      bench.commits();
      bench.standIn().clearRequests();
      bench.capture();
      Bench.batchAfter(query, last);
      print(
          "a batch of " + Bench.COMMITS + " commits, with the idle polls around it",
          bench.standIn().requests(),
          warm);
      query.stop();
    }
  }

  private static Set<Integer> sessions(List<Received> requests) {
    return requests.stream().map(Received::spid).collect(Collectors.toSet());
  }

  /**
   * @param warm sessions that were there before; any other has logged in
   */
  private void print(String what, List<Received> requests, Set<Integer> warm) {
    Map<String, Long> byPurpose =
        requests.stream()
            .collect(
                Collectors.groupingBy(
                    request -> purpose(request.sql()), TreeMap::new, Collectors.counting()));
    long logins = sessions(requests).stream().filter(spid -> !warm.contains(spid)).count();
    out.println(
        what
            + ": "
            + requests.size()
            + " statement batches "
            + byPurpose
            + ", sessions that logged in: "
            + logins);
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

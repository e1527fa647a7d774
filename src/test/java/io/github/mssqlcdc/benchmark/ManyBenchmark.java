package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.pipeline.StartedStreams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.streaming.Trigger;

/**
 * What each of a hundred tables in one JVM costs the driver: to start, and to wait in peace. Each
 * has a bronze table and a checkpoint of its own; they share the facts. The stand-in is in the same
 * JVM and counted with it.
 */
final class ManyBenchmark implements Benchmark {
  private static final int TABLES = 100;
  private static final int RUNS = 5;
  private static final Duration RUN = Duration.ofSeconds(10);
  private static final double MOST_STATEMENTS = 2;
  private static final double MOST_CPU_MS = 10;

  @Override
  public String name() {
    return "many";
  }

  @Override
  public Result run() throws Exception {
    try (Bench bench = Bench.start()) {
      for (int i = 0; i < TABLES; i++) {
        bench.inDatabase(
            "CREATE TABLE dbo.many" + i + " (id int NOT NULL PRIMARY KEY)",
            "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'many"
                + i
                + "', @role_name = NULL",
            "INSERT INTO dbo.many" + i + " VALUES (1)");
      }
      bench.capture();
      Map<String, String> options = new HashMap<>(bench.options(Map.of()));
      options.remove("captureInstance");
      long begun = System.nanoTime();
      StartedStreams streams =
          CdcStream.startMany(bench.spark(), options, bench.path("bronze_{ci}"))
              .matching("dbo.many*")
              .appId("{ci}")
              .checkpoint(bench.path("checkpoint_{ci}"))
              .factsTable(bench.path("facts"))
              .trigger(Trigger.ProcessingTime("1 second"))
              .start();
      double perStart = (System.nanoTime() - begun) / 1e9 / TABLES;
      for (var stream : streams.queries().values()) {
        var unused = Bench.batchAfter(stream, -1);
      }
      System.out.printf("%d streams, each started in %.2f s%n", TABLES, perStart);
      List<Sample> statements = new ArrayList<>();
      List<Sample> cpu = new ArrayList<>();
      for (int run = 0; run < RUNS; run++) {
        bench.standIn().clearRequests();
        Cost cost = Meter.process(() -> Thread.sleep(RUN.toMillis()));
        double seconds = cost.wallSeconds();
        statements.add(
            new Sample(bench.standIn().requests().size() / seconds, seconds, cost.cpuSeconds()));
        cpu.add(new Sample(cost.cpuSeconds() * 1e3 / seconds / TABLES, seconds, cost.cpuSeconds()));
      }
      if (!streams.failures().isEmpty()) {
        throw new IllegalStateException("Streams have failed: " + streams.failures());
      }
      streams.stopAll();
      return new Result(
          name(),
          "statement batches per second; CPU ms per stream and second",
          List.of(
              Comparison.atMost("100 tables, statements", MOST_STATEMENTS, statements),
              Comparison.atMost("100 tables, CPU per stream", MOST_CPU_MS, cpu)));
    }
  }
}

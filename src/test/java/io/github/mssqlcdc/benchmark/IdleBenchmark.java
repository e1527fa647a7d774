package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/** What a hundred streams of one database send to it in a second in which nothing changes. */
final class IdleBenchmark implements Benchmark {
  private static final int STREAMS = 100;
  private static final int RUNS = 5;
  private static final double MOST = 2;
  private static final Duration RUN = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public Result run() throws Exception {
    try (Bench bench = Bench.start()) {
      bench.commits();
      bench.capture();
      List<StreamingQuery> streams = new ArrayList<>();
      streams.add(stream(bench, 0));
      Comparison one = measure("1 stream", bench, streams);
      for (int i = 1; i < STREAMS; i++) {
        streams.add(stream(bench, i));
      }
      Comparison all = measure(STREAMS + " streams", bench, streams);
      for (StreamingQuery stream : streams) {
        stream.stop();
      }
      return new Result(name(), "statement batches per second", List.of(one, all));
    }
  }

  private static StreamingQuery stream(Bench bench, int number) throws Exception {
    StreamingQuery stream =
        bench
            .spark()
            .readStream()
            .format("mssql_cdc")
            .options(bench.options(Map.of()))
            .load()
            .writeStream()
            .format("noop")
            .option("checkpointLocation", bench.path("idle-" + number))
            .trigger(Trigger.ProcessingTime("1 second"))
            .start();
    StreamingQueryProgress unused = Bench.batchAfter(stream, -1);
    return stream;
  }

  private static Comparison measure(String label, Bench bench, List<StreamingQuery> streams)
      throws Exception {
    StandIn server = bench.standIn();
    List<Sample> rates = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      server.clearRequests();
      Cost cost = Meter.process(() -> Thread.sleep(RUN.toMillis()));
      rates.add(
          new Sample(
              server.requests().size() / cost.wallSeconds(),
              cost.wallSeconds(),
              cost.cpuSeconds()));
    }
    for (StreamingQuery stream : streams) {
      if (!stream.isActive()) {
        throw new IllegalStateException("A stream has ended", stream.exception().get());
      }
    }
    return Comparison.atMost(label, MOST, rates);
  }
}

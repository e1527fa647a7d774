package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.pipeline.CdcStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A restart of a stream and its next batch, where bronze and facts have a long history, against the
 * same where they have a thousand commits and rows. The logs are made up from a real batch's.
 */
final class GrowthBenchmark implements Benchmark {
  private static final int WARM_UPS = 1;
  private static final int FEW = 1_000;
  private static final double MOST = 2;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public Result run() throws Exception {
    try (Bench bench = Bench.start()) {
      Restarts few = new Restarts(bench, "few", FEW, FEW);
      List<Comparison> comparisons = new ArrayList<>();
      for (Restarts many :
          List.of(
              new Restarts(bench, "facts-10k", FEW, 10 * FEW),
              new Restarts(bench, "facts-100k", FEW, 100 * FEW),
              new Restarts(bench, "commits-10k", 10 * FEW, FEW))) {
        comparisons.add(
            Comparison.inTurn(
                many.label(), Comparison.Better.LOWER, 1 / MOST, WARM_UPS, many::run, few::run));
      }
      return new Result(name(), "ms", comparisons);
    }
  }

  /** A stream whose tables have grown long. */
  private static final class Restarts {
    private final Bench bench;
    private final String id;
    private final int commits;
    private final int facts;

    Restarts(Bench bench, String id, int commits, int facts) throws Exception {
      this.bench = bench;
      this.id = id;
      this.commits = commits;
      this.facts = facts;
      batch();
      LongHistory.ofCommits(bench.spark(), bench.path(id + "-bronze"), commits);
      LongHistory.ofRows(bench.spark(), bench.path(id + "-facts"), facts);
    }

    String label() {
      return "%,d commits, %,d facts".formatted(commits, facts);
    }

    Sample run() throws Exception {
      return batch();
    }

    private Sample batch() throws Exception {
      bench.commits(1, 1);
      bench.capture();
      return Meter.process(() -> start().awaitTermination()).millis();
    }

    private StreamingQuery start() {
      return CdcStream.of(bench.spark(), bench.options(Map.of()))
          .toDelta(bench.path(id + "-bronze"))
          .appId(id)
          .checkpoint(bench.path(id + "-checkpoint"))
          .factsTable(bench.path(id + "-facts"))
          .trigger(Trigger.AvailableNow())
          .start();
    }
  }
}

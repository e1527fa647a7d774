package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.util.ArrayList;
import java.util.List;

/** A snapshot read into Spark's sink that does nothing, against another way to read its rows. */
final class ReadBenchmark implements Benchmark {
  private static final int WARM_UPS = 4;

  private final String name;
  private final double bar;
  private final Way ours;
  private final Way other;

  @FunctionalInterface
  private interface Way {
    Sample run(TableReads reads, ReplayTable table, int parts) throws Exception;
  }

  private ReadBenchmark(String name, double bar, Way ours, Way other) {
    this.name = name;
    this.bar = bar;
    this.ours = ours;
    this.other = other;
  }

  /** Against a loop over the driver's values. */
  static ReadBenchmark againstBareLoop() {
    return new ReadBenchmark("read-noop", 0.9, TableReads::ours, TableReads::bare);
  }

  /** Against Spark's JDBC source. */
  static ReadBenchmark againstJdbc() {
    return new ReadBenchmark("read-jdbc", 1.5, TableReads::ours, TableReads::jdbc);
  }

  /** Spark's part alone, so that it can be told how near to the bare loop a source can come. */
  static ReadBenchmark floor() {
    return new ReadBenchmark("read-floor", Comparison.NO_BAR, TableReads::ready, TableReads::bare);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Result run() throws Exception {
    List<Comparison> comparisons = new ArrayList<>();
    try (TableReads reads = new TableReads()) {
      for (ReplayTable table : TableReads.TABLES) {
        for (int parts = 1; parts <= 2; parts++) {
          int count = parts;
          comparisons.add(
              Comparison.inTurn(
                  table.name() + ", " + parts + (parts == 1 ? " part" : " parts"),
                  Comparison.Better.HIGHER,
                  bar,
                  WARM_UPS,
                  () -> ours.run(reads, table, count),
                  () -> other.run(reads, table, count)));
        }
      }
    }
    return new Result(name, "rows per CPU second", comparisons);
  }
}

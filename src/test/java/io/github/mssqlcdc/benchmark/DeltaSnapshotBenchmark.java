package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table's snapshot into Delta, against Spark's JDBC source into Delta as it comes. */
final class DeltaSnapshotBenchmark implements Benchmark {
  private static final int WARM_UPS = 2;
  private static final int PARTS = 2;
  private static final double BAR = 1.3;

  @Override
  public String name() {
    return "delta-snapshot";
  }

  @Override
  public Result run() throws Exception {
    try (TableReads reads = new TableReads()) {
      ReplayTable table = TableReads.TABLES.get(0);
      return new Result(
          name(),
          "rows per CPU second",
          List.of(
              Comparison.inTurn(
                  "",
                  Comparison.Better.HIGHER,
                  BAR,
                  WARM_UPS,
                  () -> ours(reads, table),
                  () -> theirs(reads, table))));
    }
  }

  private static Sample ours(TableReads reads, ReplayTable table) throws Exception {
    Map<String, String> options = new HashMap<>(reads.options(table));
    options.put("numPartitions", String.valueOf(PARTS));
    try (Scratch scratch = new Scratch()) {
      String target = scratch.path("ours");
      return Meter.process(
              () -> {
                var unused = CdcStream.of(reads.spark(), options).snapshot(target).run();
              })
          .perCpuSecond(table.rows());
    }
  }

  private static Sample theirs(TableReads reads, ReplayTable table) throws Exception {
    try (Scratch scratch = new Scratch()) {
      String target = scratch.path("theirs");
      return Meter.process(() -> reads.jdbcRows(table, PARTS).write().format("delta").save(target))
          .perCpuSecond(table.rows());
    }
  }
}

package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/**
 * A backlog of changes into bronze, in ten batches with their facts, against one batch append of
 * rows as wide into a Delta table with the same statistics. These come from a table by {@code
 * mssql_cdc_snapshot}, so that reading costs both alike, and what is compared is the stream.
 * Against ten batches written by hand it is what the library adds to a stream.
 */
final class DeltaStreamBenchmark implements Benchmark {
  private static final String STATISTICS = "delta.dataSkippingStatsColumns";
  private static final int WARM_UPS = 2;
  private static final double BAR = 0.8;
  private static final int PARTS = 2;
  private static final long ROWS = 1_000_000;
  private static final int BATCHES = 10;
  private static final int COMMITS = 1_000;
  private static final ReplayTable CHANGES =
      SampleColumns.table("changed", 12, 2).withChanges(ROWS, COMMITS);

  /** With what a change row has on the wire, and bronze adds. */
  private static final ReplayTable TABLE =
      SampleColumns.table(
          "plain",
          12,
          ROWS,
          "start_lsn varchar(22), seqval varchar(22), operation int, command_id int,"
              + " commit_ts datetime, batch_id bigint, snapshot varchar(22), history int");

  @Override
  public String name() {
    return "delta-stream";
  }

  @Override
  public Result run() throws Exception {
    try (ReplayProcess server = ReplayProcess.start("1g", CHANGES, TABLE)) {
      return new Result(
          name(),
          "rows per CPU second",
          List.of(
              Comparison.inTurn(
                  "one append",
                  Comparison.Better.HIGHER,
                  BAR,
                  WARM_UPS,
                  () -> ours(server),
                  () -> appended(server)),
              Comparison.inTurn(
                  "ten by hand",
                  Comparison.Better.HIGHER,
                  Comparison.NO_BAR,
                  WARM_UPS,
                  () -> ours(server),
                  () -> byHand(server))));
    }
  }

  private static Sample ours(ReplayProcess server) throws Exception {
    try (Scratch scratch = new Scratch()) {
      return Meter.process(
              () ->
                  CdcStream.of(TestSession.get(), inBatches(server))
                      .toDelta(scratch.path("bronze"))
                      .appId("bench")
                      .checkpoint(scratch.path("checkpoint"))
                      .factsTable(scratch.path("facts"))
                      .trigger(Trigger.AvailableNow())
                      .start()
                      .awaitTermination())
          .perCpuSecond(ROWS);
    }
  }

  private static Map<String, String> inBatches(ReplayProcess server) {
    Map<String, String> options = new HashMap<>(server.options(CHANGES));
    options.put("numPartitions", String.valueOf(PARTS));
    // its commits are large only as they are read: the server counts a row for each
    options.put("maxCommitsPerBatch", String.valueOf(COMMITS / BATCHES));
    return options;
  }

  /** What a stream costs anyway: the same changes in as many batches, and nothing kept of them. */
  private static Sample byHand(ReplayProcess server) throws Exception {
    try (Scratch scratch = new Scratch()) {
      String target = scratch.path("plain");
      VoidFunction2<Dataset<Row>, Long> append =
          (rows, batch) ->
              rows.write()
                  .format("delta")
                  .mode("append")
                  .option(STATISTICS, "id,_start_lsn,_seqval,_operation,_command_id,_commit_ts")
                  .save(target);
      return Meter.process(
              () ->
                  TestSession.get()
                      .readStream()
                      .format("mssql_cdc")
                      .options(inBatches(server))
                      .load()
                      .writeStream()
                      .foreachBatch(append)
                      .option("checkpointLocation", scratch.path("checkpoint"))
                      .trigger(Trigger.AvailableNow())
                      .start()
                      .awaitTermination())
          .perCpuSecond(ROWS);
    }
  }

  private static Sample appended(ReplayProcess server) throws Exception {
    SparkSession spark = TestSession.get();
    try (Scratch scratch = new Scratch()) {
      String target = scratch.path("plain");
      return Meter.process(
              () ->
                  spark
                      .read()
                      .format("mssql_cdc_snapshot")
                      .options(server.options(TABLE))
                      .option("numPartitions", PARTS)
                      .load()
                      .write()
                      .format("delta")
                      .option(
                          STATISTICS,
                          "id,start_lsn,seqval,operation,command_id,commit_ts,batch_id,snapshot,history")
                      .save(target))
          .perCpuSecond(ROWS);
    }
  }
}

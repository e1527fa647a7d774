package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** A backlog of changes into Spark's sink that does nothing, against a loop over the driver's. */
final class ChangesBenchmark implements Benchmark {
  private static final int WARM_UPS = 4;
  private static final double BAR = 0.85;
  private static final ReplayTable TABLE =
      SampleColumns.table("mixed", 12, 2).withChanges(2_000_000, 1_000);

  @Override
  public String name() {
    return "changes-noop";
  }

  @Override
  public Result run() throws Exception {
    try (ReplayProcess server = ReplayProcess.start("1g", TABLE)) {
      Comparison comparison =
          Comparison.inTurn(
              "",
              Comparison.Better.HIGHER,
              BAR,
              WARM_UPS,
              () -> ours(server),
              () ->
                  new BareLoop(server)
                      .run(
                          List.of("SELECT * FROM cdc." + TABLE.captureInstance() + "_CT"),
                          TABLE.changes()));
      return new Result(name(), "rows per CPU second", List.of(comparison));
    }
  }

  private Sample ours(ReplayProcess server) throws Exception {
    SparkSession spark = TestSession.get();
    Path checkpoint = Files.createTempDirectory("changes-noop");
    return Meter.tasks(
            spark,
            () ->
                spark
                    .readStream()
                    .format("mssql_cdc")
                    .options(server.options(TABLE))
                    .option("numPartitions", 1)
                    .load()
                    .writeStream()
                    .format("noop")
                    .option("checkpointLocation", checkpoint.toString())
                    .trigger(Trigger.AvailableNow())
                    .start()
                    .awaitTermination())
        .perCpuSecond(TABLE.changes());
  }
}

package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.spark.NoForkFileSystem;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The driver of a stream whose tasks run in other processes, itself a process: {@code
 * local-cluster[2,1,1024]}. Arguments: URL, user, password, a folder for its tables.
 */
final class ClusterDriver {
  private ClusterDriver() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[3]);
    SparkSession spark =
        SparkSession.builder()
            .master("local-cluster[2,1,1024]")
            .config("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString())
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.databricks.delta.snapshotPartitions", "1")
            .config("spark.hadoop.fs.file.impl", NoForkFileSystem.class.getName())
            .config(
                "spark.hadoop.fs.AbstractFileSystem.file.impl",
                NoForkFileSystem.Context.class.getName())
            .getOrCreate();
    spark.sparkContext().addSparkListener(new FailedTasks());
    CdcStream.of(
            spark,
            Map.of(
                "url", arguments[0],
                "user", arguments[1],
                "password", arguments[2],
                "captureInstance", "dbo_orders",
                "numPartitions", "2"))
        .toDelta(folder.resolve("bronze").toString())
        .appId("orders-v1")
        .checkpoint(folder.resolve("checkpoint").toString())
        .factsTable(folder.resolve("facts").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    spark.stop();
  }

  /** Prints a line for each. */
  private static final class FailedTasks extends SparkListener {
    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (!end.taskInfo().successful()) {
        System.out.println("Failed task: " + end.reason());
      }
    }
  }
}

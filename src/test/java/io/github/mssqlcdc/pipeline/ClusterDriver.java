package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.spark.NoForkFileSystem;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import scala.Option;

/**
 * The driver of streams whose tasks run in other processes, itself a process, until its standard
 * input ends. Each line there names a table: its stream is run to its end, and that is printed.
 * Arguments: URL, user, password, a folder for its tables.
 */
final class ClusterDriver {
  static final String STREAMED = "Streamed ";
  static final String FAILED_TASK = "Failed task: ";
  static final String TWIN = "Speculative twin of a task";

  /** One host, but Spark doesn't know: it starts the twin of a slow task on another one only. */
  private static final List<String> HOSTS = List.of("127.0.0.1", "localhost");

  private static final int MEMORY_MB = 1024;

  private ClusterDriver() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[3]);
    SparkSession spark = start(cluster(folder), folder);
    BufferedReader tables =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String table = tables.readLine(); table != null; table = tables.readLine()) {
      stream(spark, arguments, folder.resolve(table), table);
      System.out.println(STREAMED + table);
    }
    System.exit(0); // with master and workers
  }

  /** As {@code local-cluster[2,1,1024]} makes it, but for the names of the hosts. */
  private static String cluster(Path folder) {
    SparkConf conf = new SparkConf().set("spark.master.rest.enabled", "false");
    String master =
        Master$.MODULE$
            .startRpcEnvAndEndpoint(HOSTS.get(0), 0, 0, conf)
            ._1()
            .address()
            .toSparkURL();
    for (String host : HOSTS) {
      var unused =
          Worker$.MODULE$.startRpcEnvAndEndpoint(
              host,
              0,
              0,
              1,
              MEMORY_MB,
              new String[] {master},
              folder.resolve("work").toString(),
              Option.apply(HOSTS.indexOf(host)),
              conf,
              Option.empty());
    }
    return master;
  }

  private static SparkSession start(String master, Path folder) {
    SparkSession spark =
        SparkSession.builder()
            .master(master)
            .config("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .config("spark.speculation", "true")
            .config("spark.speculation.multiplier", "1.5")
            .config("spark.speculation.efficiency.enabled", "false")
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
    spark.sparkContext().addSparkListener(new Tasks());
    return spark;
  }

  private static void stream(SparkSession spark, String[] arguments, Path folder, String table)
      throws Exception {
    CdcStream.of(
            spark,
            Map.of(
                "url", arguments[0],
                "user", arguments[1],
                "password", arguments[2],
                "captureInstance", "dbo_" + table,
                "numPartitions", "2"))
        .toDelta(folder.resolve("bronze").toString())
        .appId(table)
        .checkpoint(folder.resolve("checkpoint").toString())
        .factsTable(folder.resolve("facts").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  /** Prints a line for each that is out of the ordinary. */
  private static final class Tasks extends SparkListener {
    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (start.taskInfo().speculative()) {
        System.out.println(TWIN);
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (!end.taskInfo().successful()) {
        System.out.println(FAILED_TASK + end.reason());
      }
    }
  }
}

package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.spark.NoForkFileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import scala.Option;

/**
 * The driver of a stream whose tasks run in other processes, itself a process, with a cluster of
 * two workers. Arguments: URL, user, password, a folder for its tables.
 */
final class ClusterDriver {
  private static final int MEGABYTES = 1024;

  /**
   * Spark gives a task no twin on the host that it runs on, and takes these for two. That is what
   * sets this cluster apart from {@code local-cluster[2,1,1024]}.
   */
  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

  private ClusterDriver() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[3]);
    SparkConf conf = new SparkConf().set("spark.master.rest.enabled", "false");
    RpcEnv master = Master$.MODULE$.startRpcEnvAndEndpoint(HOSTS.get(0), 0, 0, conf)._1();
    String url = master.address().toSparkURL();
    List<RpcEnv> workers = HOSTS.stream().map(host -> worker(host, url, folder, conf)).toList();
    stream(url, folder, arguments);
    workers.forEach(RpcEnv::shutdown);
    master.shutdown();
  }

  private static RpcEnv worker(String host, String master, Path folder, SparkConf conf) {
    return Worker$.MODULE$.startRpcEnvAndEndpoint(
        host,
        0,
        0,
        1,
        MEGABYTES,
        new String[] {master},
        folder.resolve("work").toString(),
        Option.apply(HOSTS.indexOf(host)),
        conf,
        Option.empty());
  }

  private static void stream(String master, Path folder, String[] arguments) throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master(master)
            .appName("cluster")
            .config("spark.speculation", "true")
            .config("spark.speculation.interval", "100ms")
            .config("spark.speculation.quantile", "0.5")
            .config("spark.speculation.multiplier", "1")
            .config("spark.speculation.efficiency.enabled", "false")
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
    spark.sparkContext().addSparkListener(new Tasks());
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

  /** Prints a line for each that fails, or is another's twin. */
  private static final class Tasks extends SparkListener {
    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (start.taskInfo().speculative()) {
        System.out.println("Twin of task " + start.taskInfo().index());
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (!end.taskInfo().successful()) {
        System.out.println("Failed task: " + end.reason());
      }
    }
  }
}

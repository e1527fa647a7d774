package io.github.mssqlcdc.testkit.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;

/**
 * The one Spark session of a test JVM: {@code local[2]}, Delta on, and settings that make small
 * batches and tables fast. Never stop it; use a checkpoint folder of your own per query.
 */
public final class TestSession {

  private TestSession() {}

  /** The shared session; started by the first call. */
  public static SparkSession get() {
    return Holder.SESSION;
  }

  /**
   * The shared session with plans as users have them, from now on: for programs that measure, or
   * run for long.
   */
  public static SparkSession compiled() {
    plans("true", "FALLBACK").forEach((name, value) -> get().conf().set(name, value.toString()));
    return get();
  }

  /**
   * Calls something with plans that are compiled and adapted while they run, as users have them.
   *
   * @throws Exception of the call
   */
  public static <T> T withCompiledPlans(Callable<T> call) throws Exception {
    RuntimeConfig conf = get().conf();
    Map<String, Object> before = new HashMap<>();
    Map<String, Object> compiled = plans("true", "FALLBACK");
    compiled.keySet().forEach(name -> before.put(name, conf.get(name)));
    try {
      compiled.forEach((name, value) -> conf.set(name, value.toString()));
      return call.call();
    } finally {
      before.forEach((name, value) -> conf.set(name, value.toString()));
    }
  }

  private static Map<String, Object> plans(String compiled, String expressions) {
    return Map.of(
        "spark.sql.codegen.wholeStage", compiled,
        "spark.sql.codegen.factoryMode", expressions,
        "spark.sql.adaptive.enabled", compiled);
  }

  private static SparkSession start() {
    forgetFileSystems();
    return SparkSession.builder()
        .master("local[2]")
        .appName("mssql-cdc-spark tests")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", temporaryFolder().toUri().toString())
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.sql.shuffle.partitions", "1")
        // compiling code for each of thousands of small plans takes longer than running them; the
        // tests of values, the cluster's and all programs run as users do
        .config(plans("false", "NO_CODEGEN"))
        // nor is a stack trace taken for each column of a plan
        .config("spark.sql.dataFrameQueryContext.enabled", "false")
        // Delta plans 50 tasks over a table's log by default, however small it is
        .config("spark.databricks.delta.snapshotPartitions", "1")
        // the default manager and Hadoop's local file system fork a process per file
        .config(
            "spark.sql.streaming.checkpointFileManagerClass",
            "org.apache.spark.sql.execution.streaming.checkpointing"
                + ".FileSystemBasedCheckpointFileManager")
        .config("spark.hadoop.fs.file.impl", NoForkFileSystem.class.getName())
        .config(
            "spark.hadoop.fs.AbstractFileSystem.file.impl",
            NoForkFileSystem.Context.class.getName())
        .getOrCreate();
  }

  /** Hadoop keeps one per scheme, made as whoever came first had it configured. */
  private static void forgetFileSystems() {
    try {
      FileSystem.closeAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("mssql-cdc-warehouse");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Holder {
    static final SparkSession SESSION = start();
  }
}

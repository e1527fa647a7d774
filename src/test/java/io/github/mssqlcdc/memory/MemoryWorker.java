package io.github.mssqlcdc.memory;

import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.Trigger;

/** Does one case, and prints what it took. */
final class MemoryWorker {
  static final String DONE = "memory: ";

  private final SparkSession spark = TestSession.compiled();
  private final MemoryCase subject;
  private final Map<String, String> options;
  private final Path folder;

  private MemoryWorker(MemoryCase subject, Map<String, String> options, Path folder) {
    this.subject = subject;
    this.options = options;
    this.folder = folder;
  }

  /**
   * @param args the case's name, a folder of its own, then names and values of options
   */
  public static void main(String[] args) throws Exception {
    HeapWatch heap = HeapWatch.start();
    Map<String, String> options = new HashMap<>();
    for (int i = 2; i < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    MemoryWorker worker = new MemoryWorker(MemoryCase.valueOf(args[0]), options, Path.of(args[1]));
    long begun = System.nanoTime();
    Map<String, Object> found = worker.work();
    long seconds = (System.nanoTime() - begun) / 1_000_000_000;
    worker.require(found);
    System.out.println(DONE + heap.mostAfterCollection() + " " + heap.peak() + " " + seconds);
    System.exit(0);
  }

  private Map<String, Object> work() throws Exception {
    return switch (subject.work()) {
      case READ -> digestOf(spark.read().format("mssql_cdc_snapshot").options(options).load());
      case READ_CHANGES -> {
        Map<String, Object> found = new HashMap<>();
        options.put("startingLsn", "earliest");
        VoidFunction2<Dataset<Row>, Long> first =
            (rows, batch) -> found.putAll(batch == 0 ? digestOf(rows) : Map.of());
        spark
            .readStream()
            .format("mssql_cdc")
            .options(options)
            .load()
            .writeStream()
            .foreachBatch(first)
            .option("checkpointLocation", path("checkpoint"))
            .trigger(Trigger.AvailableNow())
            .start()
            .awaitTermination();
        yield found;
      }
      case SNAPSHOT -> {
        CdcStream.of(spark, options).snapshot(path("bronze")).run();
        yield digestOf(bronze());
      }
      case STREAM -> {
        options.put("startingLsn", "earliest");
        CdcStream.of(spark, options)
            .toDelta(path("bronze"))
            .appId("memory")
            .checkpoint(path("checkpoint"))
            .factsTable(path("facts"))
            .trigger(Trigger.AvailableNow())
            .start()
            .awaitTermination();
        yield digestOf(bronze());
      }
    };
  }

  private Dataset<Row> bronze() {
    return spark.read().format("delta").load(path("bronze"));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Reads every value of every column. */
  private Map<String, Object> digestOf(Dataset<Row> rows) throws InterruptedException {
    boolean hasLarge = List.of(rows.columns()).contains(ReplayTable.LARGE);
    Observation observation = new Observation("digest");
    rows.observe(
            observation,
            functions.count(functions.lit(1)).as("rows"),
            functions.sum("id").as("ids"),
            functions.expr("sum(id * id % 1000003)").as("squares"),
            functions.expr(hasLarge ? "sum(length(large))" : "0L").as("bytes"))
        .write()
        .format("noop")
        .mode("overwrite")
        .save();
    return observation.getAsJava();
  }

  private void require(Map<String, Object> found) {
    Column id = functions.col("id");
    Row expected =
        spark
            .range(1, subject.rows() + 1)
            .agg(functions.count(id), functions.sum(id), functions.expr("sum(id * id % 1000003)"))
            .head();
    List<Object> wanted = new ArrayList<>();
    for (int i = 0; i < expected.length(); i++) {
      wanted.add(expected.get(i));
    }
    wanted.add((long) subject.table().largeCell());
    List<Object> got =
        Stream.of("rows", "ids", "squares", "bytes").<Object>map(found::get).toList();
    if (!got.equals(wanted)) {
      throw new IllegalStateException("Read " + got + " instead of " + wanted);
    }
  }
}

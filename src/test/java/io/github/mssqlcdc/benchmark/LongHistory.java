package io.github.mssqlcdc.benchmark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;

/** Makes tables look as if another stream had written to them for long. */
final class LongHistory {
  private static final String OTHER = "another";
  private static final Pattern APP_ID = Pattern.compile("(\"appId\":\")[^\"]+");
  private static final Pattern DATA_FILE = Pattern.compile("part-[^\"]+\\.parquet");
  private static final int ROWS_PER_FILE = 1_000;

  private LongHistory() {}

  /** As many commits, each as the newest one but with a file of its own, and a checkpoint. */
  static void ofCommits(SparkSession spark, String table, int commits) throws IOException {
    DeltaLog log = DeltaLog.forTable(spark, table);
    Path folder = Path.of(table, "_delta_log");
    long newest = log.unsafeVolatileSnapshot().version();
    String model = Files.readString(folder.resolve("%020d.json".formatted(newest)));
    String file = DATA_FILE.matcher(model).results().findFirst().orElseThrow().group();
    String others = APP_ID.matcher(model).replaceAll("$1" + OTHER);
    for (long version = newest + 1; version <= newest + commits; version++) {
      String own = "part-%d.parquet".formatted(version);
      Files.createLink(Path.of(table, own), Path.of(table, file));
      Files.writeString(folder.resolve("%020d.json".formatted(version)), others.replace(file, own));
    }
    DeltaLog.clearCache();
    DeltaLog.forTable(spark, table).checkpoint();
  }

  /** As many rows more, each as the newest one. */
  static void ofRows(SparkSession spark, String table, int rows) {
    spark
        .read()
        .format("delta")
        .load(table)
        .limit(1)
        .withColumn("app_id", lit(OTHER))
        .crossJoin(spark.range(0, rows, 1, Math.max(1, rows / ROWS_PER_FILE)))
        .withColumn("batch_id", col("id"))
        .drop("id")
        .write()
        .format("delta")
        .mode("append")
        .save(table);
  }
}

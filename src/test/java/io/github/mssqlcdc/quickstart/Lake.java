package io.github.mssqlcdc.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * Where the quick start keeps its tables.
 *
 * @param folder absolute
 */
record Lake(Path folder) {
  String bronze() {
    return folder.resolve("bronze").toString();
  }

  String facts() {
    return folder.resolve("facts").toString();
  }

  String silver() {
    return folder.resolve("silver").toString();
  }

  String control() {
    return folder.resolve("control").toString();
  }

  String checkpoint() {
    return folder.resolve("checkpoint").toString();
  }

  /** Whether an earlier run got as far as silver, so that there is one to resume. */
  boolean exists() {
    return Files.exists(Path.of(checkpoint(), "offsets", "0"))
        && Files.exists(Path.of(bronze(), "_delta_log"))
        && Files.exists(Path.of(silver(), "_delta_log"))
        && Files.exists(Path.of(facts(), "_delta_log"));
  }

  /** Forgets the earlier runs. */
  void delete() throws IOException {
    for (String part : List.of(bronze(), silver(), facts(), control(), checkpoint())) {
      if (Files.exists(Path.of(part))) {
        try (Stream<Path> paths = Files.walk(Path.of(part))) {
          for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(path);
          }
        }
      }
    }
  }

  /**
   * Makes the tables known to SQL as {@code bronze}, {@code silver} and {@code facts}, in their
   * newest version.
   */
  void register(SparkSession spark) {
    for (String table : List.of(bronze(), silver(), facts())) {
      spark
          .read()
          .format("delta")
          .load(table)
          .createOrReplaceTempView(Path.of(table).getFileName().toString());
    }
  }

  SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("mssql-cdc-spark quick start")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString())
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        // small tables on a small machine: few tasks
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "2")
        .getOrCreate();
  }
}

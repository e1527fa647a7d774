package io.github.mssqlcdc.testkit.delta;

import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;

/** Lets a table's log be as after its retention. */
public final class LogCleanup {
  private LogCleanup() {}

  /** Leaves a checkpoint and one commit after all others. */
  public static void of(LakeTable table) throws IOException {
    SparkSession spark = TestSession.get();
    String path = table.ref().text();
    spark.sql("ALTER TABLE " + table.ref().sql() + " SET TBLPROPERTIES ('n' = '1')");
    DeltaLog.forTable(spark, path).checkpoint();
    Path newest = Path.of(path, "_delta_log", String.format("%020d.json", table.version()));
    try (Stream<Path> files = Files.list(newest.getParent())) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\d{20}\\.json")).toList()) {
        if (!file.equals(newest)) {
          Files.delete(file);
        }
      }
    }
    DeltaLog.clearCache();
  }
}

package io.github.mssqlcdc.testkit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
class TestSessionTest {

  @Test
  void writesAndReadsDelta(@TempDir Path folder) {
    SparkSession spark = TestSession.get();
    String path = folder.resolve("table").toUri().toString();

    spark.range(3).write().format("delta").save(path);
    spark.range(2).write().format("delta").mode("append").save(path);

    assertThat(spark.read().format("delta").load(path).count()).isEqualTo(5);
  }
}

package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.LakeFileSystem;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints at other places than a local path. */
@Tag("spark")
final class CheckpointUriTest {
  private static StandInDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  @BeforeAll
  static void open() {
    database = StandInDatabase.start();
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL",
        "INSERT INTO dbo.orders VALUES (1, N'a')");
    database.awaitCapture();
    TestSession.get()
        .sparkContext()
        .hadoopConfiguration()
        .set("fs." + LakeFileSystem.SCHEME + ".impl", LakeFileSystem.class.getName());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void aCheckpointOnAnyFileSystemIsResumedAndItsLossIsNoticed() throws Exception {
    String checkpoint = LakeFileSystem.SCHEME + "://" + folder.resolve("checkpoint");
    request(checkpoint).bootstrap(true).start().awaitTermination();
    database.run("INSERT INTO dbo.orders VALUES (2, N'b')");
    database.awaitCapture();
    request(checkpoint).bootstrap(true).start().awaitTermination();

    assertThat(spark.read().format("delta").load(path("bronze")).count()).isEqualTo(2);
    // what is measured needs no folder that tasks and driver share
    assertThat(
            spark
                .read()
                .format("delta")
                .load(path("facts"))
                .where("event IS NULL")
                .orderBy("batch_id")
                .selectExpr("rows", "read_mb * 1000000", "read_seconds > 0", "network_wait_ms >= 0")
                .collectAsList())
        .last()
        .hasToString("[1,5.0,true,true]");
    assertThat(folder.resolve("checkpoint").resolve("offsets")).isNotEmptyDirectory();
    assertThatThrownBy(() -> request(checkpoint + "-rewound").bootstrap(true).start())
        .hasMessageContaining("checkpoint-rewound")
        .hasMessageContaining("is new");
  }

  @Test
  void aCheckpointThatCannotBeOpenedFailsBeforeAnythingIsWritten() {
    assertThatThrownBy(() -> request("nowhere://bucket/checkpoint").bootstrap(true).start())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("Failed to open the checkpoint nowhere://bucket/checkpoint")
        .cause()
        .hasMessageContaining("nowhere");
    assertThat(folder).isEmptyDirectory();
  }

  private DeltaStreamRequest request(String checkpoint) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    return CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(checkpoint)
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}

package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused leaves nothing behind: no target, no facts, no checkpoint. */
@Tag("spark")
final class RefusalContractTest {
  private static TestDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    for (String table : new String[] {"orders", "other"}) {
      database.run(
          "CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
          "INSERT INTO dbo." + table + " VALUES (1, N'one')",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
              + table
              + "', @role_name = NULL");
    }
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private DeltaStreamRequest request(String instance, String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", instance);
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id BIGINT, nope STRING", "id SMALLINT", "name INT"})
  void columnsThatDoNotFitTheTable(String columns) {
    assertThatThrownBy(request("dbo_orders", "columns", columns).bootstrap(true)::start)
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(columns.contains("nope") ? "nope" : columns.split(" ")[0]);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/"})
  void factsInTheTarget(String ending) {
    assertThatThrownBy(request("dbo_orders").factsTable(path("bronze") + ending)::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid factsTable")
        .hasMessageContaining("it is the target");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aTargetOfAnotherKind() {
    spark.range(3).write().format("delta").save(path("bronze"));
    assertThatThrownBy(request("dbo_orders").bootstrap(true)::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it is a table of another kind, without the column");
    assertThat(folder.resolve("facts")).doesNotExist();
    assertThat(folder.resolve("checkpoint")).doesNotExist();
  }

  @Test
  void aTargetOfAnotherSourceTable() throws Exception {
    request("dbo_orders").bootstrap(true).start().awaitTermination();
    for (String appId : new String[] {"orders-v1", "other-v1"}) {
      assertThatThrownBy(request("dbo_other").appId(appId).bootstrap(true)::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot write capture instance 'dbo_other'")
          .hasMessageContaining("it holds rows of capture instance 'dbo_orders'");
    }
    request("DBO_ORDERS").bootstrap(true).start().awaitTermination();
    assertThat(spark.read().format("delta").load(path("bronze")).count()).isEqualTo(1);
  }

  @Test
  void aStartThatTheServerHasNotReached() {
    assertThatThrownBy(
            () ->
                request("dbo_orders", "startingLsn", "0xFFFFFFFFFFFFFFFFFFFF")
                    .start()
                    .awaitTermination())
        .isInstanceOf(StreamingQueryException.class)
        .hasMessageContaining("Cannot start capture instance 'dbo_orders' after 0xFFFF")
        .hasMessageContaining("max LSN is 0x");
    assertThat(folder.resolve("bronze")).doesNotExist();
  }

  /** ERR-4: nothing is read or written, and the message has the statement that helps. */
  @Test
  void columnsThatTheTargetCannotTakeAsItIs() throws Exception {
    database.run("ALTER TABLE dbo.other ADD [unit price] int NULL");
    database.run(
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'other',"
            + " @role_name = NULL, @capture_instance = N'other_2'",
        "INSERT INTO dbo.other VALUES (2, N'two', 20)");
    database.awaitCapture();
    request("other_2", "columns", "id INT").bootstrap(true).start().awaitTermination();

    assertThatThrownBy(request("other_2", "columns", "id BIGINT")::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot write column 'id' of type BIGINT to")
        .hasMessageContaining("SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')");
    assertThatThrownBy(request("other_2")::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot add column 'unit price' to")
        .hasMessageContaining("SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
    assertThat(spark.read().format("delta").load(path("bronze")).count()).isEqualTo(2);

    String table = "ALTER TABLE delta.`" + path("bronze") + "` SET TBLPROPERTIES ";
    spark.sql(table + "('delta.columnMapping.mode' = 'name')");
    spark.sql(table + "('delta.enableTypeWidening' = 'true')");
    database.run("INSERT INTO dbo.other VALUES (3, N'three', 30)");
    database.awaitCapture();
    request("other_2", "columns", "id BIGINT, `unit price` INT").start().awaitTermination();

    assertThat(
            spark
                .read()
                .format("delta")
                .load(path("bronze"))
                .where("id = 3")
                .select("id", "unit price")
                .collectAsList())
        .containsExactly(RowFactory.create(3L, 30));
  }
}

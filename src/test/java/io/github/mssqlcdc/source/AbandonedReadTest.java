package io.github.mssqlcdc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads that Spark gives up: nobody waits for the server after that, and no connection is kept. */
@Tag("spark")
@Timeout(120)
@SuppressWarnings("NullAway.Init")
class AbandonedReadTest {
  private static final int ROWS = 20_000;

  private static StandIn standIn;
  private static StandInDatabase database;

  @BeforeAll
  static void create() {
    standIn = StandIn.builder().manualCapture().start();
    database = StandInDatabase.create(standIn);
    database.run(
        "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, v char(100) NOT NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL",
        "INSERT INTO dbo.orders SELECT value, 'x' FROM GENERATE_SERIES(1, " + ROWS + ")");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
    standIn.close();
  }

  /** A pool of two connections: one leaked by each read would be all of them soon. */
  @Test
  void readsThatALimitEndsLeaveNoConnectionBehind() {
    for (int i = 0; i < 20; i++) {
      // what Spark itself decides keeps the limit from the server
      assertThat(snapshot().where("rand() >= 0").limit(1).collectAsList()).hasSize(1);
    }
    assertThat(snapshot().count()).isEqualTo(ROWS);
    assertThat(standIn.connections()).isLessThanOrEqualTo(2);
  }

  @Test
  void aTaskThatIsKilledWaitsForTheServerNoLonger() throws Exception {
    SparkSession spark = TestSession.get();
    int before = standIn.connections();
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE dbo.orders SET v = 'y'");
      CompletableFuture<Long> job =
          CompletableFuture.supplyAsync(
              () -> {
                spark.sparkContext().setJobGroup("abandoned", "", false);
                return snapshot().where("rand() >= 0").count();
              });
      await(() -> isAsked("FROM [dbo].[orders] AS t"));

      spark.sparkContext().cancelJobGroup("abandoned");

      assertThatThrownBy(() -> job.get(60, TimeUnit.SECONDS)).hasMessageContaining("cancelled");
      await(() -> standIn.connections() <= before + 1);
      other.rollback();
    }
    assertThat(snapshot().count()).isEqualTo(ROWS);
  }

  @Test
  void aQueryThatWaitsForTheServerIsStopped(@TempDir Path folder) throws Exception {
    SparkSession spark = TestSession.get();
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE cdc.dbo_orders_CT SET v = 'y'");
      standIn.clearRequests();
      StreamingQuery query =
          spark
              .readStream()
              .format("mssql_cdc")
              .options(options())
              .load()
              .writeStream()
              .format("noop")
              .option("checkpointLocation", folder.toString())
              .trigger(Trigger.ProcessingTime(0))
              .start();
      await(() -> isAsked("has_rows"));

      query.stop();

      assertThat(query.exception().isEmpty()).isTrue();
      other.rollback();
    }
  }

  private static boolean isAsked(String fragment) {
    return standIn.requests().stream().anyMatch(request -> request.sql().contains(fragment));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static Dataset<Row> snapshot() {
    standIn.clearRequests();
    return TestSession.get().read().format("mssql_cdc_snapshot").options(options()).load();
  }

  private static Map<String, String> options() {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    options.put("numPartitions", "1");
    options.put("fetchSize", "100");
    return options;
  }
}

package io.github.mssqlcdc.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.OnDataLoss;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.DiskMoment;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of several tables from one call, against a server. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class StartManyContractTest {
  private static TestDatabase database;

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();

  @BeforeAll
  static void open() {
    database = TestDatabases.create();
    for (String table : List.of("orders", "customers", "other")) {
      database.run(
          "CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
          "INSERT INTO dbo." + table + " VALUES (1, N'" + table + "')",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
              + table
              + "', @role_name = NULL");
    }
    // a name that says nothing of its table
    database.run(
        "EXEC sys.sp_cdc_disable_table @source_schema = N'dbo', @source_name = N'customers',"
            + " @capture_instance = N'dbo_customers'",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'customers',"
            + " @capture_instance = N'clients', @role_name = NULL");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private StartManyRequest request(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return CdcStream.startMany(spark, options, path("bronze_{ci}"))
        .appId("{ci}-v1")
        .checkpoint(path("checkpoint_{ci}"))
        .factsTable(path("facts"));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> sql(String query) {
    return spark.sql(query).collectAsList().stream().map(Row::mkString).toList();
  }

  private String delta(String name) {
    return "delta.`" + path(name) + "`";
  }

  @Test
  void eachTableThatAPatternFindsHasAStreamOfItsOwnAndTheyShareTheFacts() throws Exception {
    StartedStreams streams =
        request()
            .matching("dbo.*ers")
            .trigger(Trigger.AvailableNow())
            .bootstrap(true)
            .startsAtATime(2)
            .start();
    streams.awaitAll();

    assertThat(streams.queries().values())
        .extracting(StreamingQuery::name)
        .containsExactly("dbo_customers-v1", "dbo_orders-v1");
    assertThat(sql("SELECT name FROM " + delta("bronze_dbo_customers")))
        .containsExactly("customers");
    assertThat(sql("SELECT name FROM " + delta("bronze_dbo_orders") + " WHERE id = 1"))
        .containsExactly("orders");
    assertThat(
            sql(
                "SELECT concat_ws('|', app_id, target, sum(rows) > 0, max(batch_id) >= 0) FROM "
                    + delta("facts")
                    + " GROUP BY app_id, target ORDER BY 1"))
        .containsExactly(
            "dbo_customers-v1|" + path("bronze_dbo_customers") + "|true|true",
            "dbo_orders-v1|" + path("bronze_dbo_orders") + "|true|true");
    assertThat(streams.failures()).isEmpty();
  }

  @Test
  void oneThatFailsLeavesTheOthersAloneAndGoesOnFromItsCheckpointWhenItIsStartedAgain()
      throws Exception {
    StartedStreams streams =
        request()
            .tables(
                Map.of(
                    "dbo_orders",
                    Map.of("COLUMNS", "id INT"),
                    "dbo_other",
                    Map.of("schemaChangePolicy", "fail")))
            .start();
    try {
      database.run(
          "INSERT INTO dbo.other VALUES (10, N'x')", "INSERT INTO dbo.orders VALUES (10, N'x')");
      database.awaitCapture();
      streams.queries().values().forEach(StreamingQuery::processAllAvailable);
      database.run("ALTER TABLE dbo.other ADD more int NULL");
      database.awaitCapture();
      database.run("INSERT INTO dbo.other VALUES (11, N'y', 1)");
      database.awaitCapture();
      assertThatThrownBy(() -> query(streams, "dbo_other").awaitTermination(60_000))
          .isInstanceOf(StreamingQueryException.class);

      assertThat(streams.failures()).containsOnlyKeys("dbo_other");
      assertThat(CdcErrors.isSchemaChanged(streams.failures().get("dbo_other"))).isTrue();
      assertThat(query(streams, "dbo_orders").isActive()).isTrue();
      assertThat(streams.awaitAll(Duration.ofMillis(1))).isFalse();
      assertThatThrownBy(() -> streams.restart("dbo_orders"))
          .hasMessageContaining("dbo_orders-v1")
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> streams.restart("dbo_none"))
          .hasMessageStartingWith("Unknown stream 'dbo_none'");
      streams.stopAll();
      // the columns of option 'columns' alone: the shared option gives way to the table's own
      assertThat(spark.read().format("delta").load(path("bronze_dbo_orders")).schema().fieldNames())
          .contains("id")
          .doesNotContain("name");
      assertThatThrownBy(streams::awaitAll)
          .isInstanceOf(StreamingQueryException.class)
          .hasMessageContaining("dbo.other");

      StartedStreams again = request().tables("dbo_other").trigger(Trigger.AvailableNow()).start();
      again.awaitAll();
      assertThat(sql("SELECT id FROM " + delta("bronze_dbo_other") + " WHERE id >= 10 ORDER BY 1"))
          .containsExactly("10", "11");
      again.restart("dbo_other").awaitTermination();
      assertThat(again.failures()).isEmpty();
    } finally {
      streams.stopAll();
    }
  }

  @Test
  void aTableThatCannotStartStopsThoseThatThisCallStarted() {
    assertThatThrownBy(() -> request().tables("dbo_orders", "dbo_nothing", "dbo_other").start())
        .isInstanceOfSatisfying(
            CdcError.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_CAPTURE_INSTANCE));
    assertThat(spark.streams().active())
        .extracting(StreamingQuery::name)
        .doesNotContain("dbo_orders-v1", "dbo_other-v1");
  }

  @Test
  void whoIsInterruptedWhileStreamsStartLeavesNoneRunning() throws Exception {
    request().tables("dbo_orders").trigger(Trigger.AvailableNow()).start().awaitAll();
    Thread caller = Thread.currentThread();
    Callable<String> interrupt =
        () -> {
          caller.interrupt();
          return "interrupted";
        };
    try (DiskMoment moment = DiskMoment.beforeReading(folder.resolve("facts"), interrupt)) {
      assertThatThrownBy(() -> request().tables("dbo_orders", "dbo_other").start())
          .hasMessage("Interrupted while streams were started");
      assertThat(moment.hasCome()).isTrue();
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(spark.streams().active())
        .extracting(StreamingQuery::name)
        .doesNotContain("dbo_orders-v1", "dbo_other-v1");
    assertThat(folder.resolve("bronze_dbo_other")).doesNotExist();
  }

  @Test
  void whatIsWrongWithTheRequestIsToldBeforeAnythingStarts() {
    assertRefused(request().tables("dbo_orders").appId("orders-v1"))
        .hasMessage(
            "Invalid appId 'orders-v1': it needs {ci} where the capture instance's name goes, so"
                + " that each table has one of its own");
    assertRefused(request().tables("dbo_orders").checkpoint(path("ck")))
        .hasMessageStartingWith("Invalid checkpoint '" + path("ck") + "': it needs {ci}");
    assertRefused(
            CdcStream.startMany(spark, database.options(), "bronze.orders")
                .appId("{ci}")
                .checkpoint("/{ci}")
                .tables("dbo_orders"))
        .hasMessageStartingWith("Invalid target 'bronze.orders': it needs {ci}");
    assertRefused(request()).hasMessageStartingWith("Missing tables");
    assertRefused(request().matching("none.*")).hasMessageContaining("dbo.customers, dbo.orders");
    assertRefused(request("CaptureInstance", "dbo_orders").tables("dbo_orders"))
        .hasMessageStartingWith("Invalid option 'captureInstance' of startMany");
    assertRefused(request().tables("dbo_orders", "DBO_orders"))
        .hasMessageContaining("differ in case only");
    assertRefused(request().table("dbo_orders", Map.of("fetchSize", "none")))
        .hasMessageContaining("fetchSize");
    assertRefused(request().tables("dbo_orders").with("dbo_none", one -> one.bootstrap(true)))
        .hasMessage("Unknown table 'dbo_none' in .with(…): the streams are [dbo_orders]");
    Duration past = Duration.ofDays(-1);
    assertRefused(
            request()
                .tables("dbo_orders")
                .onDataLoss(OnDataLoss.RESNAPSHOT)
                .resnapshotInterval(past))
        .hasMessageContaining("resnapshotInterval");
    assertRefused(
            request()
                .tables("dbo_other", "dbo_orders")
                .with("dbo_orders", one -> one.onDataLoss("resnapshot").resnapshotInterval(past)))
        .hasMessageContaining("resnapshotInterval");
    assertThatThrownBy(() -> request().startsAtATime(0))
        .hasMessage("Invalid startsAtATime 0: give at least 1");
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ?> assertRefused(
      StartManyRequest request) {
    var refused = assertThatThrownBy(request::start).isInstanceOf(InvalidRequestException.class);
    assertThat(folder).isEmptyDirectory();
    return refused;
  }

  private static StreamingQuery query(StartedStreams streams, String name) {
    return requireNonNull(streams.queries().get(name));
  }
}

package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.microsoft.sqlserver.jdbc.SQLServerDriver;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.options.StreamOptions;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.Disclosures;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a password might show: everything that a run leaves behind is searched for it. */
@Tag("spark")
final class SecretsTest {
  /** All secrets of this test hold it. */
  private static final String MARK = "Geheimwort7391";

  /** Wider than what the library goes by. */
  private static final Pattern MAY_BE_SECRET =
      Pattern.compile("pass|pwd|secret|token|key|credential", Pattern.CASE_INSENSITIVE);

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
        "CREATE LOGIN reader WITH PASSWORD = '" + MARK + "-1'",
        "CREATE USER reader FOR LOGIN reader",
        "GRANT SELECT ON dbo.orders TO reader",
        "GRANT SELECT ON cdc.dbo_orders_CT TO reader",
        "INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b')");
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>();
    options.put("url", database.url());
    options.put("user", "reader");
    options.put("password", MARK + "-1");
    options.put("captureInstance", "dbo_orders");
    options.put("jdbc.trustStorePassword", MARK + "-2");
    options.put("jdbc.clientKeyPassword", MARK + "-3");
    options.put("jdbc.connectRetryCount", "0");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  @Test
  void noSecretShowsInWhatARunLeavesBehind() throws Exception {
    createView();
    try (Disclosures seen = Disclosures.of(MARK, "dbo_orders")) {
      CdcStream orders = CdcStream.of(spark, options());
      StreamingQuery query = toDelta(orders).bootstrap(true).start();
      query.awaitTermination();
      seen.add("status", query.status().json());
      seen.add("progress", query.lastProgress().json());
      orders.snapshot(path("snapshot")).run();
      frames(seen);
      seen.add("objects", List.of(orders, toDelta(orders), StreamOptions.parse(options())));
      seen.add("source", Source.reach(spark, options()));
      seen.await(spark);
      assertThat(seen.found()).isEmpty();
      assertThat(seen.controls()).contains("log", "event", "JSON", "progress", "plan", "source");
    }
    assertThat(filesWith(MARK)).isEmpty();
    assertThat(filesWith("dbo_orders")).isNotEmpty();
  }

  /** Not watched: at DEBUG, Spark's own parser logs the SQL that it is given. */
  private void createView() {
    spark.sql(viewOf(options()));
  }

  private static String viewOf(Map<String, String> options) {
    StringBuilder list = new StringBuilder();
    options.forEach((name, value) -> list.append(", `" + name + "` '" + value + "'"));
    return "CREATE OR REPLACE TEMPORARY VIEW orders_now USING mssql_cdc_snapshot OPTIONS ("
        + list.substring(2)
        + ")";
  }

  /** The formats by themselves, from Java and from SQL. */
  private void frames(Disclosures seen) {
    Dataset<Row> batch = spark.read().format("mssql_cdc_snapshot").options(options()).load();
    Dataset<Row> stream = spark.readStream().format("mssql_cdc").options(options()).load();
    Dataset<Row> view = spark.table("orders_now");
    for (Dataset<Row> frame : List.of(batch, view)) {
      assertThat(frame.count()).isEqualTo(2);
    }
    for (Dataset<Row> frame : List.of(batch, stream, view)) {
      seen.add("frame", frame);
      seen.add("plan", frame.queryExecution());
      seen.add("logical plan", frame.queryExecution().logical().treeString());
      seen.add("analyzed plan", frame.queryExecution().analyzed().treeString());
    }
    seen.add("explain", spark.sql("EXPLAIN EXTENDED SELECT * FROM orders_now").collectAsList());
    spark.catalog().dropTempView("orders_now");
  }

  @Test
  void noSecretShowsInWhatFails() {
    List<Map<String, String>> failing =
        List.of(
            options("password", MARK + "-wrong"),
            options("captureInstance", "dbo_nothing"),
            options("url", database.url().replaceFirst("databaseName=[^;]*", "databaseName=no")),
            options("url", database.url() + ";password=" + MARK),
            options("url", "jdbc:sqlserver://reader:" + MARK + "@localhost:" + port()),
            options("url", MARK),
            options("jdbc.password", MARK),
            options("jdbc.accessToken", MARK),
            options("jdbc.keyVaultProviderClientKey", MARK),
            options("jdbc.keyStoreSecret", MARK, "jdbc.keyStoreAuthentication", "nonsense"),
            options("jdbc.AADSecurePrincipalSecret", MARK, "jdbc.authentication", "nonsense"),
            options("jdbc.encrypt", "true", "jdbc.trustStore", path("nowhere")),
            options("numPartitions", "none"),
            options("Password", MARK + "-other"));
    try (Disclosures seen = Disclosures.of(MARK, "reader")) {
      for (Map<String, String> options : failing) {
        Throwable failure =
            catchThrowable(
                () -> toDelta(CdcStream.of(spark, options)).bootstrap(true).start().stop());
        assertThat(failure).describedAs("%s", options.keySet()).isNotNull();
        seen.add("failure", failure);
        seen.add(
            "failure of the format",
            catchThrowable(
                () -> spark.read().format("mssql_cdc_snapshot").options(options).load().collect()));
      }
      seen.await(spark);
      assertThat(seen.found()).isEmpty();
    }
    assertThat(folder).isEmptyDirectory();
  }

  /** Spark shows options in plans, and knows secrets by the options' names. */
  @Test
  void everySecretOfTheDriverIsHiddenBySparkOrRefused() throws SQLException {
    Set<String> noSecrets =
        Set.of(
            "accessTokenCallback",
            "accessTokenCallbackClass",
            "clientKey",
            "keyStoreAuthentication",
            "keyStoreLocation",
            "keyStorePrincipalId",
            "keyVaultProviderClientId",
            "useDefaultGSSCredential");
    List<String> secrets = new ArrayList<>(List.of("accessToken"));
    for (DriverPropertyInfo property :
        new SQLServerDriver().getPropertyInfo("jdbc:sqlserver://db", new Properties())) {
      if (MAY_BE_SECRET.matcher(property.name).find() && !noSecrets.contains(property.name)) {
        secrets.add(property.name);
      }
    }
    assertThat(secrets).contains("clientKeyPassword", "keyStoreSecret", "AADSecurePrincipalSecret");

    List<String> refused = new ArrayList<>();
    for (String secret : secrets) {
      for (String name : List.of(secret, secret.toUpperCase(Locale.ROOT))) {
        Throwable failure = catchThrowable(() -> assertHidden(options("jdbc." + name, MARK)));
        if (failure instanceof InvalidRequestException) {
          assertThat(failure).hasMessageContaining("jdbc." + name).hasMessageNotContaining(MARK);
          refused.add(name);
        } else {
          assertThat(failure).describedAs(name).isNull();
        }
      }
    }
    assertThat(refused)
        .containsExactlyInAnyOrder(
            "password", "PASSWORD", "keyVaultProviderClientKey", "KEYVAULTPROVIDERCLIENTKEY");
  }

  private void assertHidden(Map<String, String> options) {
    options.put("columns", "id INT");
    Dataset<Row> batch = spark.read().format("mssql_cdc_snapshot").options(options).load();
    Dataset<Row> stream = spark.readStream().format("mssql_cdc").options(options).load();
    for (Dataset<Row> frame : List.of(batch, stream)) {
      assertThat(frame.queryExecution().logical().treeString()).doesNotContain(MARK);
      assertThat(frame.queryExecution().analyzed().treeString()).doesNotContain(MARK);
    }
    String explain = "EXPLAIN EXTENDED " + viewOf(options);
    assertThat(spark.sql(explain).head().getString(0)).contains("columns").doesNotContain(MARK);
  }

  private DeltaStreamRequest toDelta(CdcStream orders) {
    return orders
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow());
  }

  private static int port() {
    return database.standIn().port();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(file -> holds(file, text)).toList();
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new IllegalStateException("Failed to read " + file, e);
    }
  }
}

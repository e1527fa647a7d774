package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.log.LogLines;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the facts measure, on a server whose clock and rights a test sets. */
@Tag("spark")
final class MeasuredStreamTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-10-01T12:00:00Z"));

  /** Azure SQL Database refuses the waits of its sessions to a login of least privilege. */
  @Test
  void aQuietTablesHeadroomAndLagGoByTheBatchsEndAndARefusedWaitIsNull() throws Exception {
    try (StandIn server = StandIn.builder().azure().clock(clock).manualCapture().start();
        StandInDatabase database = StandInDatabase.create(server)) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
          "CREATE TABLE dbo.other (id int NOT NULL PRIMARY KEY)",
          enable("orders"),
          enable("other"),
          "CREATE LOGIN reader WITH PASSWORD = 'Leser-geheim-1'",
          "CREATE USER reader FOR LOGIN reader",
          "GRANT SELECT ON dbo.orders TO reader",
          "GRANT SELECT ON cdc.dbo_orders_CT TO reader");
      database.awaitCapture();
      clock.advance(Duration.ofHours(70));
      database.run("INSERT INTO dbo.orders VALUES (1)");
      for (int id = 1; id <= 2; id++) {
        clock.advance(Duration.ofMinutes(15));
        database.run("INSERT INTO dbo.other VALUES (" + id + ")");
      }
      database.awaitCapture();
      clock.advance(Duration.ofSeconds(4));

      try (LogLines lines = LogLines.watching()) {
        run(
            database,
            false,
            "user",
            "reader",
            "password",
            "Leser-geheim-1",
            "maxCommitsPerBatch",
            "1");

        assertThat(lines.at(Level.WARN))
            .filteredOn(line -> line.text().contains("network_wait_ms"))
            .hasSize(1);
      }
    }
    assertThat(
            facts(
                "rows, retention_headroom_hours, ingestion_lag_seconds, capture_lag_seconds,"
                    + " network_wait_ms"))
        .endsWith("1|70.0|1800.0|4.0|null", "0|70.25|900.0|4.0|null", "0|70.5|0.0|4.0|null");
  }

  @Test
  void warningsOfTheStartStandInTheRowOfTheFirstBatchWhichHasNoRange() throws Exception {
    try (StandIn server = StandIn.builder().majorVersion(15).manualCapture().start();
        StandInDatabase database = StandInDatabase.create(server)) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, twice AS (id * 2))",
          enable("orders"),
          "INSERT INTO dbo.orders VALUES (1)");
      database.awaitCapture();

      run(database, true, "fetchsise", "10");
      database.run("INSERT INTO dbo.orders VALUES (2)");
      database.awaitCapture();
      run(database, true);
    }
    List<String> rows =
        facts(
            "rows, read_mb, end_lsn IS NOT NULL, min_lsn, max_commit_ts,"
                + " from_json(detail, 'warnings ARRAY<STRING>').warnings");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0))
        .startsWith("0|0.0|true|null|null|")
        .containsSubsequence(
            "Unknown option 'fetchsise'",
            "capture records no values of computed columns (twice)",
            "the fixed offset UTC is taken");
    assertThat(rows.get(1)).startsWith("1|4.0E-6|true|0x").doesNotContain("fetchsise");
  }

  private static String enable(String table) {
    return "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
        + table
        + "', @role_name = NULL";
  }

  private void run(StandInDatabase database, boolean bootstrap, String... more) throws Exception {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(bootstrap)
        .start()
        .awaitTermination();
  }

  /** Rows of the batches, in their order. */
  private List<String> facts(String columns) {
    return spark
        .sql(
            "SELECT "
                + columns
                + " FROM delta.`"
                + path("facts")
                + "` WHERE event IS NULL ORDER BY batch_id")
        .collectAsList()
        .stream()
        .map(row -> row.mkString("|"))
        .toList();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}

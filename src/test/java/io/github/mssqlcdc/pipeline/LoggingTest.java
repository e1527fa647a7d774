package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.log.LogLines;
import io.github.mssqlcdc.testkit.log.LogLines.Line;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run logs: on the stand-in only, since one of the tests runs cleanup when it wants. */
@Tag("spark")
final class LoggingTest {
  private static StandInDatabase database;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();

  @BeforeAll
  static void open() {
    database = StandInDatabase.start();
    for (String table : new String[] {"orders", "purged"}) {
      database.run(
          "CREATE TABLE dbo." + table + " (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
              + table
              + "', @role_name = NULL",
          "INSERT INTO dbo." + table + " VALUES (1, N'a'), (2, N'b'), (3, N'c')");
    }
    database.awaitCapture();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void theCallersWarningComesOnceWhereItCallsAndASnapshotSaysRowsAndTime() throws Exception {
    try (LogLines lines = LogLines.watching()) {
      run("dbo_orders", "orders-v1", true, "fetchsise", "10");

      assertThat(lines.at(Level.WARN))
          .containsExactly(
              new Line(
                  Level.WARN,
                  "io.github.mssqlcdc.options.UnknownOptions",
                  Thread.currentThread().getName(),
                  "Unknown option 'fetchsise' is ignored; did you mean 'fetchSize'?"));
      assertThat(lines.at(Level.INFO))
          .anySatisfy(
              line -> {
                assertThat(line.logger()).isEqualTo("io.github.mssqlcdc.backfill.WholeSnapshot");
                assertThat(line.text())
                    .matches("dbo_orders: snapshot at 0x[0-9A-F]{20} into .*: 3 rows in [0-9.]+ s");
              });
      assertThat(lines.at(Level.ERROR)).isEmpty();
      assertThat(lines.all())
          .allSatisfy(line -> assertThat(Class.forName(line.logger())).isNotNull());
    }
  }

  @Test
  void theReadersOwnWarningComesOnceWhereItRunsAndStandsOnceInTheFacts() throws Exception {
    run("dbo_purged", "purged-v1", false);
    database.run("INSERT INTO dbo.purged VALUES (4, N'd')");
    database.awaitCapture();
    database.run("INSERT INTO dbo.purged VALUES (5, N'e')");
    database.awaitCapture();
    database.standIn().cleanup(Duration.ZERO);

    try (LogLines lines = LogLines.watching()) {
      run("dbo_purged", "purged-v1", false, "failOnDataLoss", "false", "maxCommitsPerBatch", "1");
      run("dbo_purged", "purged-v1", false, "failOnDataLoss", "false");

      List<Line> warnings =
          lines.at(Level.WARN).stream().filter(line -> line.text().contains("skipped")).toList();
      assertThat(warnings).hasSize(1);
      assertThat(warnings.get(0).logger()).startsWith("io.github.mssqlcdc.source.stream.");
      assertThat(warnings.get(0).thread()).isNotEqualTo(Thread.currentThread().getName());
    }
    assertThat(
            spark
                .sql(
                    "SELECT count(*) FROM delta.`"
                        + path("facts")
                        + "` WHERE event = 'data_skipped'")
                .collectAsList()
                .get(0)
                .getLong(0))
        .isEqualTo(1);
  }

  private void run(String instance, String appId, boolean bootstrap, String... more)
      throws Exception {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", instance);
    options.put("pollInterval", "1ms");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    CdcStream.of(spark, options)
        .toDelta(path("bronze-" + instance))
        .appId(appId)
        .checkpoint(path("checkpoint-" + instance))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .bootstrap(bootstrap)
        .start()
        .awaitTermination();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}

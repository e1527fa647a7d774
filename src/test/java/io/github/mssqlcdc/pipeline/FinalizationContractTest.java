package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.testkit.contract.TestDatabase;
import io.github.mssqlcdc.testkit.contract.TestDatabases;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts of a running stream, and who reads them. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class FinalizationContractTest {
  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void aTrackerFollowsAQueryToItsEndAndOneThatFailsLeavesItAlone() throws Exception {
    try (TestDatabase database = TestDatabases.create()) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL",
          "INSERT INTO dbo.orders VALUES (1)");
      database.awaitCapture();
      spark.range(1).write().format("delta").save(path("no_control"));
      Finalization verdicts = Finalization.of(spark, path("control"));
      Map<String, String> options = new HashMap<>(database.options());
      options.put("captureInstance", "dbo_orders");
      options.put("pollInterval", "1ms");
      StreamingQuery query =
          CdcStream.of(spark, options)
              .toDelta(path("bronze"))
              .appId("orders-v1")
              .checkpoint(path("checkpoint"))
              .start();
      FinalizationTracker tracker = verdicts.track(query, path("bronze"), Granularity.MINUTE);
      FinalizationTracker ofAnotherSession =
          Finalization.of(spark.newSession(), path("control"))
              .track(query, "of another session", Granularity.MINUTE);
      FinalizationTracker failing =
          Finalization.of(spark, path("no_control"))
              .track(query, path("bronze"), Granularity.MINUTE);
      query.processAllAvailable();
      database.run("INSERT INTO dbo.orders VALUES (2)");
      database.awaitCapture();
      query.processAllAvailable();
      assertThat(query.isActive()).isTrue();
      query.stop();

      assertThat(tracker.join(Duration.ofMinutes(1))).isTrue();
      assertThat(failing.join(Duration.ofMinutes(1))).isTrue();
      assertThat(ofAnotherSession.join(Duration.ofMinutes(1))).isTrue();
      assertThat(query.exception().isEmpty()).isTrue();
      assertThat(tracker.lastError()).isEmpty();
      assertThat(failing.failures()).isPositive();
      assertThat(failing.lastError().orElseThrow())
          .hasMessageContaining("'" + path("no_control") + "'");
      Offset end = Offset.parse(query.lastProgress().sources()[0].endOffset());
      LocalDateTime until = Granularity.MINUTE.floor(Objects.requireNonNull(end.commitTs()));
      assertThat(verdicts.finalizedUntil(path("bronze"))).contains(until);
      assertThat(verdicts.isFinal(path("bronze"), until)).isTrue();
      assertThat(verdicts.isFinal("of another session", until)).isTrue();
      assertThat(verdicts.isFinal(path("bronze"), until.plusNanos(1000))).isFalse();
      assertThat(verdicts.isFinal(path("bronze") + "/", until)).isFalse();
      // a query that has ended can be asked, too
      assertThat(verdicts.advance(path("bronze"), query, Granularity.DAY)).contains(until);
      assertThat(
              Finalization.of(spark, path("control"))
                  .track(query, "t", Granularity.DAY)
                  .join(Duration.ofMinutes(1)))
          .isTrue();
      assertThat(verdicts.finalizedUntil("t")).contains(Granularity.DAY.floor(until));
    }
  }

  @Test
  void aVerdictNeverGoesBackAndTheGuidesQueriesReadWhatIsFinalAndWhatIsStuck() throws Exception {
    String control = "verdicts_" + UUID.randomUUID().toString().replace("-", "");
    String bronze = "final_" + UUID.randomUUID().toString().replace("-", "");
    Finalization verdicts = Finalization.of(spark, control);
    assertThat(verdicts.finalizedUntil(bronze)).isEmpty();
    assertThatThrownBy(() -> verdicts.advance(bronze, at("15:10"), "hourly"))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(spark.catalog().tableExists(control)).isFalse();

    assertThat(verdicts.advance(bronze, at("15:10"), "Hour")).contains(time("15:00"));
    assertThat(verdicts.advance(bronze, at("14:59"), "minute")).contains(time("15:00"));
    assertThat(verdicts.advance(bronze, Offset.of(at("15:10").lsn()), "hour"))
        .isEqualTo(Optional.of(time("15:00")));
    assertThat(Finalization.candidate(at("15:10"), Granularity.DAY)).contains(time("00:00"));

    spark
        .sql(
            "SELECT id, op AS _operation, CAST(ts AS TIMESTAMP_NTZ) AS _commit_ts FROM VALUES"
                + " (1, 2, '2026-10-01 14:59:59.999'), (2, 4, '2026-10-01 15:00:00'),"
                + " (3, 0, '2026-10-01 14:00:00'), (4, 1, '2026-10-01 13:59:59') AS t(id, op, ts)")
        .write()
        .format("delta")
        .saveAsTable(bronze);
    List<String> queries = queries("docs/guides/finalization.md", bronze, control);
    assertThat(spark.sql(queries.get(0)).collectAsList())
        .extracting(row -> row.getInt(0))
        .containsExactly(1);

    LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
    verdicts.advance("moving", new Offset(at("15:10").lsn(), now.minusMinutes(74), null), "minute");
    verdicts.advance("stuck", new Offset(at("15:10").lsn(), now.minusMinutes(77), null), "minute");
    assertThat(queries).hasSize(2);
    assertThat(spark.sql(queries.get(1)).collectAsList())
        .extracting(row -> row.getString(0))
        .containsExactlyInAnyOrder("stuck", bronze);
  }

  @Test
  void aTrackerWhoseTableCannotBeMadeTellsSoAndGoesOn() throws Exception {
    String schema = "later_" + UUID.randomUUID().toString().replace("-", "");
    try (TestDatabase database = TestDatabases.create()) {
      BackfillFixture lake = BackfillFixture.ofEightRows(database, folder);
      Finalization verdicts = Finalization.of(spark, schema + ".control");
      assertThat(verdicts.finalizedUntil("t")).isEmpty();
      assertThatThrownBy(() -> verdicts.advance("t", at("15:10"), Granularity.HOUR))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageStartingWith("Unknown schema '" + schema + "'");
      StreamingQuery query =
          lake.toDelta(lake.stream())
              .snapshot(SnapshotMode.FULL)
              .trigger(Trigger.ProcessingTime(0))
              .start();
      try {
        FinalizationTracker tracker =
            verdicts.track(query, lake.path("bronze"), Granularity.MINUTE);
        lake.change("UPDATE $t SET name = N'x' WHERE id = 2");
        query.processAllAvailable();
        while (tracker.failures() == 0) {
          Thread.sleep(10);
        }
        assertThat(tracker.lastError().orElseThrow())
            .hasMessageStartingWith("Unknown schema '" + schema + "'");
        var unused = spark.sql("CREATE SCHEMA " + schema);
        lake.change("UPDATE $t SET name = N'x' WHERE id = 1");
        query.processAllAvailable();
        query.stop();
        assertThat(tracker.join(Duration.ofMinutes(1))).isTrue();
        assertThat(tracker.failures()).isZero();
        assertThat(verdicts.finalizedUntil(lake.path("bronze"))).isPresent();
      } finally {
        query.stop();
        var unused = spark.sql("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
      }
    }
  }

  private static List<String> queries(String guide, String bronze, String control)
      throws Exception {
    return Pattern.compile("```sql\n(.*?);\n```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of(guide)))
        .results()
        .map(
            query ->
                query
                    .group(1)
                    .replace("'bronze.orders'", "'" + bronze + "'")
                    .replace("bronze.orders", bronze)
                    .replace("ops.control", control))
        .toList();
  }

  private static LocalDateTime time(String text) {
    return LocalDateTime.parse("2026-10-01T" + text);
  }

  private static Offset at(String text) {
    return new Offset(io.github.mssqlcdc.lsn.Lsn.parse("0x0A"), time(text), null);
  }
}

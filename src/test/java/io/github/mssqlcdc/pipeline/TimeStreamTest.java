package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream over the night in which New York's clocks go back, and a clock that is set. */
@Tag("spark")
final class TimeStreamTest {
  private static final Instant FALL_BACK = Instant.parse("2025-11-02T06:00:00Z");
  private static final String SESSION_ZONE = "spark.sql.session.timeZone";

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private final ManualClock clock = new ManualClock(FALL_BACK.minus(Duration.ofHours(2)));

  /** When each row was committed, really. */
  private final Map<Integer, LocalDateTime> committed = new TreeMap<>();

  @Test
  void commitTimesAreUtcInOrderInAnyZoneOfJvmAndSession() throws Exception {
    TimeZone jvm = TimeZone.getDefault();
    String session = spark.conf().get(SESSION_ZONE);
    try (StandIn standIn =
            StandIn.builder()
                .timeZone(ZoneId.of("America/New_York"))
                .clock(clock)
                .manualCapture()
                .start();
        StandInDatabase database = StandInDatabase.create(standIn);
        CapturedLog log = CapturedLog.of("io.github.mssqlcdc.source.stream.SetBackWatch")) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL");
      zones("Asia/Tokyo", "UTC");
      commit(database, 1, FALL_BACK.minus(Duration.ofMinutes(20)));
      run(database);
      commit(database, 2, FALL_BACK.minus(Duration.ofMinutes(3)));
      commit(database, 3, FALL_BACK.plus(Duration.ofMinutes(2)));
      run(database);

      zones("America/Sao_Paulo", "Europe/Berlin");
      commit(database, 4, FALL_BACK.plus(Duration.ofMinutes(58)));
      run(database);
      commit(database, 5, FALL_BACK.plus(Duration.ofMinutes(70)));
      run(database);
      assertThat(bronze()).isEqualTo(committed);

      commit(database, 6, FALL_BACK.plus(Duration.ofMinutes(60)));
      commit(database, 7, FALL_BACK.plus(Duration.ofMinutes(61)));
      run(database);
      commit(database, 8, FALL_BACK.plus(Duration.ofMinutes(62)));
      run(database);
      LocalDateTime before = LocalDateTime.ofInstant(FALL_BACK, ZoneOffset.UTC).plusMinutes(70);
      assertThat(bronze()).containsEntry(6, before).containsEntry(8, before);
      assertThat(log.warnings()).hasSize(1);
    } finally {
      TimeZone.setDefault(jvm);
      spark.conf().set(SESSION_ZONE, session);
    }
    List<LocalDateTime> ends =
        spark
            .read()
            .format("delta")
            .load(path("facts"))
            .where("event IS NULL")
            .orderBy("batch_id")
            .collectAsList()
            .stream()
            .map(row -> row.<LocalDateTime>getAs("end_commit_ts"))
            .toList();
    assertThat(ends).hasSizeGreaterThanOrEqualTo(6).isSorted();
  }

  private void commit(StandInDatabase database, int id, Instant at) {
    clock.set(at);
    database.run("INSERT INTO dbo.orders VALUES (" + id + ")");
    database.awaitCapture();
    committed.put(id, LocalDateTime.ofInstant(at, ZoneOffset.UTC));
  }

  private void run(StandInDatabase database) throws Exception {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    CdcStream.of(spark, options)
        .toDelta(path("bronze"))
        .appId("orders-v1")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
  }

  private Map<Integer, LocalDateTime> bronze() {
    Map<Integer, LocalDateTime> times = new TreeMap<>();
    spark
        .read()
        .format("delta")
        .load(path("bronze"))
        .collectAsList()
        .forEach(row -> times.put(row.getAs("id"), row.getAs("_commit_ts")));
    return times;
  }

  private void zones(String jvm, String session) {
    TimeZone.setDefault(TimeZone.getTimeZone(jvm));
    spark.conf().set(SESSION_ZONE, session);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }
}

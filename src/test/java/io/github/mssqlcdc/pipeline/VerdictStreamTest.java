package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts of streams of a server whose clock the test holds. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class VerdictStreamTest {
  @TempDir private Path folder;
  private final ManualClock clock = new ManualClock(Instant.parse("2026-10-01T12:00:00Z"));
  private StandIn server;
  private StandInDatabase database;
  private RecoveryFixture lake;
  private Finalization verdicts;

  @BeforeEach
  void open() {
    server = StandIn.builder().clock(clock).manualCapture().start();
    database = StandInDatabase.create(server);
    lake = new RecoveryFixture(database, folder, "orders").create();
    verdicts = Finalization.of(TestSession.get(), lake.path("control"));
  }

  @AfterEach
  void close() {
    database.close();
    server.close();
  }

  /** Ten minutes later. */
  private void change(String statement) {
    clock.advance(Duration.ofMinutes(10));
    lake.change(statement);
  }

  @Test
  void theProgressAndTheEndOfAnotherQueryDontMoveATracker() throws Exception {
    change("INSERT INTO $t VALUES (1, N'a')");
    StreamingQuery waiting =
        lake.toDelta(lake.stream())
            .bootstrap(false)
            .trigger(Trigger.ProcessingTime("1 hour"))
            .start();
    FinalizationTracker tracker = verdicts.track(waiting, "waiting", Granularity.MINUTE);
    while (waiting.lastProgress() == null) {
      assertThat(waiting.exception().isEmpty()).isTrue();
      Thread.sleep(20);
    }
    change("INSERT INTO $t VALUES (2, N'b')");
    StreamingQuery other =
        lake.stream()
            .toDelta(lake.path("bronze2"))
            .appId("other")
            .checkpoint(lake.path("checkpoint2"))
            .trigger(Trigger.AvailableNow())
            .start();
    FinalizationTracker another = verdicts.track(other, "other", Granularity.MINUTE);
    other.awaitTermination();
    assertThat(another.join(Duration.ofMinutes(1))).isTrue();

    assertThat(tracker.join(Duration.ZERO)).isFalse();
    waiting.stop();
    assertThat(tracker.join(Duration.ofMinutes(1))).isTrue();
    assertThat(verdicts.finalizedUntil("waiting")).contains(at("12:10"));
    assertThat(verdicts.finalizedUntil("other")).contains(at("12:20"));
  }

  @Test
  void aLossAndItsGenerationsDontStopAVerdictAndNothingArrivesBeforeIt() throws Exception {
    change("INSERT INTO $t VALUES (1, N'a'), (2, N'b')");
    lake.run(lake.recovering());
    change("UPDATE $t SET name = N'b' WHERE id = 1");
    assertThat(advanced()).isEqualTo(at("12:20"));
    change("UPDATE $t SET name = N'lost' WHERE id = 1");
    lake.purge();
    change("INSERT INTO $t VALUES (3, N'c')");
    assertThat(advanced()).as("over what is lost").isEqualTo(at("12:40"));
    List<String> before = changesBefore("12:40");
    change("UPDATE $t SET name = N'd' WHERE id = 2");
    assertThat(advanced()).isEqualTo(at("12:50"));

    assertThat(lake.sql("SELECT app_id FROM $facts WHERE event = 'resnapshot'"))
        .containsExactly("orders-v1.g1");
    assertThat(changesBefore("12:40")).isEqualTo(before);
  }

  private LocalDateTime advanced() throws Exception {
    StreamingQuery query = lake.recovering().start();
    query.awaitTermination();
    return verdicts.advance(lake.path("bronze"), query, Granularity.MINUTE).orElseThrow();
  }

  private List<String> changesBefore(String time) {
    return lake.sql(
        "SELECT id, name, _commit_ts FROM $bronze WHERE _operation <> 0 AND _commit_ts <"
            + " TIMESTAMP_NTZ'2026-10-01 "
            + time
            + ":00' ORDER BY ALL");
  }

  private static LocalDateTime at(String time) {
    return LocalDateTime.parse("2026-10-01T" + time);
  }
}

package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.finalization.Verdicts;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.sqlserver.Listener;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two servers of one history behind one address, the second of which gets it later; and a server
 * whose time is ours to move.
 */
@SuppressWarnings("NullAway.Init")
class LaggingServerTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T10:00:00Z"));
  private StandIn ahead;
  private StandIn behind;
  private Listener listener;

  @BeforeEach
  void start() {
    ahead = StandIn.builder().clock(clock).manualCapture().start();
    behind = StandIn.builder().clock(clock).manualCapture().start();
    listener = new Listener(ahead);
    both("CREATE DATABASE shop");
    both(
        "USE shop; EXEC sys.sp_cdc_enable_db",
        "USE shop; CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY)",
        "USE shop; EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
            + " @role_name = NULL");
    ahead.capture();
    behind.capture();
    insert(1);
    behind.capture();
  }

  @AfterEach
  void close() {
    listener.close();
    ahead.close();
    behind.close();
  }

  @Test
  void aLaggingServerNeverLooksLikeAnEmptyRange() {
    DirectStream stream = stream();
    Offset position = stream.next(stream.begin());
    insert(2);
    Offset end = stream.next(position);
    List<RangePartition> ranges = stream.plan(position, end);
    assertThat(ranges).hasSize(1);

    listener.switchTo(behind);
    assertThatThrownBy(() -> stream.read(ranges))
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining(end.lsn().toString());
    assertThatThrownBy(() -> stream.plan(position, end)).isInstanceOf(SourceBehindException.class);
    assertThat(stream.next(end)).as("below the position there is nothing new").isEqualTo(end);

    behind.capture();
    assertThat(stream.read(stream.plan(position, end))).containsExactly(2);
  }

  @Test
  void planningAndReadsAreAskedAgainOnANewConnection() {
    DirectStream stream = stream();
    Offset position = stream.next(stream.begin());
    insert(2);
    Offset end = stream.next(position);
    for (int attempt = 0; attempt < 2; attempt++) {
      listener.switchTo(behind);
      int before = listener.accepted();
      listener.beforeConnect(
          () -> {
            if (listener.accepted() > before + 2) {
              listener.switchTo(ahead);
            }
          });

      List<Integer> ids = stream.read(stream.plan(position, end));

      assertThat(ids).containsExactly(2);
      assertThat(listener.accepted()).isGreaterThan(before + 2);
    }
  }

  @Test
  void aRunThatMeetsALaggingServerFirstWaitsForTheOther() {
    DirectStream first = stream();
    Offset start = first.run(first.begin()).get(0).end();
    insert(2);
    Offset position = stream().run(start).get(0).end();
    insert(3);
    listener.switchTo(behind);
    DirectStream late = stream("pollInterval", "20ms");
    Thread other =
        new Thread(
            () -> {
              pause();
              listener.switchTo(ahead);
            });
    other.start();

    assertThat(late.run(position)).flatExtracting(Batch::ids).containsExactly(3);
  }

  @Test
  void aServerThatStaysBehindTheCheckpointIsNoLongerTheSame() {
    DirectStream first = stream();
    Offset start = first.run(first.begin()).get(0).end();
    insert(2);
    Offset end = stream().run(start).get(0).end();
    listener.switchTo(behind);

    assertThatThrownBy(() -> stream().run(end))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("for 10 polls");
    assertThatThrownBy(() -> stream().plan(start, end))
        .as("a batch replayed")
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("for 10 polls");
  }

  @Test
  void aMapThatHasAnotherTimeOrNoEntryAtThePositionIsAnotherPast() {
    DirectStream first = stream();
    Offset position = first.run(first.begin()).get(0).end();
    insert(2);
    run(
        ahead,
        "USE shop; UPDATE cdc.lsn_time_mapping SET tran_end_time = '2026-02-28T10:00:00' WHERE"
            + " start_lsn = "
            + position.lsn());
    assertThatThrownBy(() -> stream().run(position))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("the LSN map has 2026-02-28T10:00 there now");
    run(ahead, "USE shop; DELETE FROM cdc.lsn_time_mapping WHERE start_lsn = " + position.lsn());
    assertThatThrownBy(() -> stream().run(position))
        .isInstanceOf(HistoryChangedException.class)
        .hasMessageContaining("the LSN map has no entry there now");
  }

  @Test
  void anEmptyMapIsNothingNew() {
    DirectStream first = stream();
    Offset position = first.run(first.begin()).get(0).end();
    run(ahead, "USE shop; DELETE FROM cdc.lsn_time_mapping");

    assertThat(stream().run(position)).isEmpty();
    assertThat(stream().next(position)).isEqualTo(position);
    DirectStream latest = stream("startingLsn", "latest");
    Offset begin = latest.begin();
    assertThat(begin.at()).isNull();
    assertThat(latest.run(begin)).isEmpty();
    assertThat(stream("maxCommitsPerBatch", "1").next(begin)).isEqualTo(begin);
    assertThat(stream("maxRowsPerBatch", "1").next(begin)).isEqualTo(begin);
  }

  @Test
  void aTableIdleForLongerThanTheRetentionGoesOn() {
    DirectStream first = stream();
    Offset position = first.run(first.begin()).get(0).end();
    for (int hour = 0; hour < 10; hour++) {
      clock.advance(Duration.ofHours(1));
      ahead.capture();
      List<Batch> idle = stream().run(position);
      assertThat(idle).singleElement().satisfies(batch -> assertThat(batch.ids()).isEmpty());
      Offset end = idle.get(0).end();
      assertThat(end.commitTs()).isEqualTo(clock.instant().toString().replace("Z", ""));
      assertThat(Verdicts.candidate(end, Granularity.HOUR))
          .get()
          .extracting(Verdict::finalizedUntil)
          .isEqualTo(hourOf(position).plusHours(1));
      position = end;
      ahead.cleanup(Duration.ofHours(2));
    }
    insert(2);
    assertThat(stream().run(position)).flatExtracting(Batch::ids).containsExactly(2);
  }

  private static LocalDateTime hourOf(Offset position) {
    return Objects.requireNonNull(position.commitTs()).truncatedTo(ChronoUnit.HOURS);
  }

  private DirectStream stream(String... more) {
    return new DirectStream(
        Map.of(
            "url", listener.through(ahead.url("shop")),
            "user", ahead.adminUser(),
            "password", ahead.adminPassword(),
            "captureInstance", "dbo_orders"),
        more);
  }

  /** On both; captured on the first. */
  private void insert(int id) {
    clock.advance(Duration.ofSeconds(1));
    both("USE shop; INSERT INTO dbo.orders VALUES (" + id + ")");
    ahead.capture();
  }

  private void both(String... batches) {
    run(ahead, batches);
    run(behind, batches);
  }

  private static void run(StandIn server, String... batches) {
    try (Connection connection =
            DriverManager.getConnection(
                server.url("master"), server.adminUser(), server.adminPassword());
        Statement statement = connection.createStatement()) {
      for (String batch : batches) {
        statement.execute(batch);
        while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
          // an error may come behind a result
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(60);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

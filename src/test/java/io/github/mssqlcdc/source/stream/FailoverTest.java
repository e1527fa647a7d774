package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.CdcError;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.stream.DirectStream.Batch;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.sqlserver.ManualClock;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that go, come back or give way to another in the middle of a read. */
@SuppressWarnings("NullAway.Init")
class FailoverTest {
  private static final int COMMITS = 4;
  private static final int ROWS = 20;

  /** Where the first connection breaks: in the second commit or later. */
  private static final int MIDWAY = 9_000;

  private static final List<Integer> ALL =
      IntStream.rangeClosed(1, COMMITS * ROWS).boxed().toList();

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T10:00:00Z"));
  private StandIn ahead;
  private StandIn behind;
  private StandInDatabase database;
  private FaultProxy network;

  @BeforeEach
  void start() {
    ahead = StandIn.builder().clock(clock).manualCapture().start();
    behind = StandIn.builder().clock(clock).manualCapture().start();
    database = StandInDatabase.create(ahead, "shop");
    StandInDatabase copy = StandInDatabase.create(behind, "shop");
    network = new FaultProxy(ahead.port());
    for (StandInDatabase each : List.of(database, copy)) {
      each.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, v char(200) NOT NULL)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL");
      each.awaitCapture();
    }
    for (int commit = 0; commit < COMMITS; commit++) {
      clock.advance(Duration.ofSeconds(1));
      int first = commit * ROWS + 1;
      String insert =
          "INSERT INTO dbo.orders SELECT value, 'x' FROM GENERATE_SERIES("
              + first
              + ", "
              + (first + ROWS - 1)
              + ")";
      database.run(insert);
      copy.run(insert);
      ahead.capture();
    }
  }

  @AfterEach
  void close() {
    network.close();
    ahead.close();
    behind.close();
  }

  @Test
  void aServerThatIsAwayForAWhileCostsNothing() {
    DirectStream stream = stream();
    RangePartition range = plan(stream);
    network.set(Fault.reset(MIDWAY));
    network.refuse(2);

    assertThat(stream.read(List.of(range))).isEqualTo(ALL);
    assertThat(network.hits()).isEqualTo(1);
  }

  @Test
  void aServerRestartedInTheMiddleOfAStreamCostsNothing() {
    DirectStream stream = stream("maxCommitsPerBatch", "2");
    Offset start = stream.begin();
    AtomicInteger restarts = new AtomicInteger();
    network.set(Fault.cut(4_000));
    network.beforeConnect(
        () -> {
          if (restarts.getAndIncrement() == 0) {
            restart();
          }
        });

    List<Batch> batches = stream.run(start);
    assertThat(batches).flatExtracting(Batch::ids).isEqualTo(ALL);
    assertThat(restarts.get()).isPositive();

    restart();
    clock.advance(Duration.ofSeconds(1));
    database.run("INSERT INTO dbo.orders VALUES (1000, 'x')");
    ahead.capture();
    assertThat(stream.run(batches.get(batches.size() - 1).end()))
        .flatExtracting(Batch::ids)
        .containsExactly(1000);
  }

  private void restart() {
    try {
      ahead.restart(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aServerThatStaysAwayIsAnErrorAndTheRangeCanBeReadAgain() {
    DirectStream stream = stream();
    RangePartition range = plan(stream);
    network.set(Fault.cut(MIDWAY));
    int before = network.accepted();
    network.refuse(Integer.MAX_VALUE);

    assertThatThrownBy(() -> stream.read(List.of(range)))
        .hasMessageStartingWith("Cannot connect (server localhost:")
        .extracting(failure -> ((CdcError) failure).code())
        .isEqualTo(ErrorCode.CONNECTION_FAILED);
    assertThat(network.accepted()).isGreaterThanOrEqualTo(before + 3);

    network.refuse(0);
    assertThat(stream.read(List.of(range))).isEqualTo(ALL);
  }

  @Test
  void aLaggingServerThatTakesOverIsNotReadUntilItHasCaughtUp() {
    DirectStream stream = stream();
    RangePartition range = plan(stream);
    network.set(Fault.cut(MIDWAY));
    network.leadTo(behind.port());

    assertThatThrownBy(() -> stream.read(List.of(range)))
        .isInstanceOf(SourceBehindException.class)
        .hasMessageContaining("up to " + range.end().lsn());

    network.leadTo(ahead.port());
    network.set(Fault.cut(MIDWAY));
    int connections = network.accepted();
    network.beforeConnect(
        () -> network.leadTo(network.accepted() > connections + 1 ? ahead.port() : behind.port()));
    assertThat(stream.read(List.of(range))).isEqualTo(ALL);
  }

  @Test
  void aLinkThatBreaksAgainAndAgainGetsThere() {
    DirectStream stream = stream("maxCommitsPerBatch", "2");
    Offset start = stream.begin();
    int before = network.accepted();
    network.set(Fault.cut(4_000), Integer.MAX_VALUE);

    assertThat(stream.run(start)).flatExtracting(Batch::ids).isEqualTo(ALL);
    assertThat(network.accepted()).isGreaterThan(before + 4);
  }

  @Test
  void cleanupBetweenTwoPiecesIsNoticed() {
    DirectStream stream = stream();
    RangePartition range = plan(stream);
    network.set(Fault.cut(MIDWAY));
    network.beforeConnect(() -> ahead.cleanup(Duration.ofMillis(2_500)));

    assertThatThrownBy(() -> stream.read(List.of(range)))
        .isInstanceOf(DataLossException.class)
        .hasMessageContaining("from " + range.range().firstPossibleCommit());
  }

  @Test
  void cleanupBetweenTwoPiecesIsOneEventWhereItMayBeSkipped() {
    DirectStream stream = stream("failOnDataLoss", "false");
    RangePartition range = plan(stream);
    RangeReports reports = new RangeReports(null);
    network.set(Fault.cut(MIDWAY));
    network.beforeConnect(() -> ahead.cleanup(Duration.ofMillis(2_500)));

    assertThat(stream.read(List.of(range), reports)).isEqualTo(ALL);
    assertThat(reports.value().values())
        .singleElement()
        .satisfies(
            report -> {
              SkippedChanges skip = Objects.requireNonNull(report.skip());
              assertThat(skip.doubt()).endsWith("rows may be missing");
              assertThat(report.measure().rows()).isEqualTo(ALL.size());
            });
  }

  private static RangePartition plan(DirectStream stream) {
    Offset start = stream.begin();
    return stream.planWhole(start, stream.next(start));
  }

  private DirectStream stream(String... more) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("url", network.through(database.url()));
    options.put("captureInstance", "dbo_orders");
    // the driver waits ten seconds between two of its own
    options.put("jdbc.connectRetryCount", "0");
    return new DirectStream(options, more);
  }
}

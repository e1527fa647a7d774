package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ChangeAnswers.CHANGES;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.LSN;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.TIME;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.changes;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.changesUpTo;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.head;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.lsn;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.many;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.read;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.readAll;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.rowsOf;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.some;
import static io.github.mssqlcdc.sqlserver.ChangeAnswers.tail;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.row;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.connection.Watch.Patience;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.sqlserver.ScriptedServer.Answer;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.log.LogLines;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that fall silent and waits that nobody wants any more, met through the real driver. */
@Timeout(60)
class WaitTest {
  private static final String MAX_LSN = "AS server_now;";
  private static final Patience PATIENCE =
      new Patience(Duration.ofMillis(20), Duration.ofMillis(300), Duration.ofMillis(500));

  private final ScriptedServer server = new ScriptedServer();
  private final FaultProxy network = new FaultProxy(server.port());

  @AfterEach
  void close() {
    network.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatGoesSilentBetweenRowsIsLeft(Link link) {
    server.on(CHANGES, head().then(many()).then(tail()), head().then(changes(8)).then(tail()));
    SqlServer client = connect(link, Duration.ofMillis(300));
    network.set(Fault.stall(200_000));

    try (RangeReader reader = read(client)) {
      int rows = 0;
      while (server.requests.size() < 2) {
        rows += some(reader, 100).size();
      }
      assertThat(rows).isGreaterThan(100);
      assertThat(reader.read(RowCursor::tail).minLsn()).isEqualTo(lsn(1));
    }
    assertThat(server.requests.get(1)).contains("ct.[__$start_lsn] = @from_lsn");
  }

  @Test
  void aReadNobodyWantsAnyMoreIsCancelledOnTheServer() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    server.on(CHANGES, head().then(untilCancelled(started)));
    server.on(MAX_LSN, row(List.of(LSN, TIME, TIME), null, null, LocalDateTime.MIN));
    SqlServer client = connect(Duration.ofMinutes(1));
    RangeReader reader = read(client);
    CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> readAll(reader));
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();

    reader.cancel();

    assertInterrupted(waits);
    assertThat(server.cancels).hasValue(1);
    assertThat(server.requests).as("it isn't repeated").hasSize(1);
    assertThatThrownBy(() -> reader.read(RowCursor::tail)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void anInterruptedThreadIsNoLongerKeptWaiting() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    server.on(MAX_LSN, untilCancelled(started));
    SqlServer client = connect(Duration.ofMinutes(1));
    CompletableFuture<Void> waits = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                client.maxLsn();
              } catch (RuntimeException e) {
                waits.completeExceptionally(e);
              }
            });
    thread.start();
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();

    thread.interrupt();

    assertInterrupted(waits);
    assertThat(server.cancels).hasValue(1);
    assertThat(server.requests).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aCancelOnADeadLinkEndsByCuttingTheConnectionOff(Link link) throws Exception {
    server.on(CHANGES, head().then(many()).then(tail()));
    SqlServer client = connect(link, Duration.ofMinutes(1));
    network.set(Fault.stall(200_000));
    RangeReader reader = read(client);
    CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> readAll(reader));
    assertThat(network.awaitHits(1, 10_000)).isTrue();

    try (CapturedLog log = CapturedLog.of(Watch.class)) {
      reader.cancel();
      assertInterrupted(waits);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .startsWith("No answer to a cancel for 0 s, the connection is cut off: failed to read");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAbandonedReadOnADeadLinkIsCutOffToo(Link link) throws Exception {
    server.on(CHANGES, head().then(many()).then(tail()), head().then(changes(8)).then(tail()));
    SqlServer client = connect(link, Duration.ofMinutes(1));
    network.set(Fault.stall(200_000));
    try (RangeReader reader = read(client)) {
      assertThat(some(reader, 10)).hasSize(10);
      assertThat(network.awaitHits(1, 10_000)).isTrue();
    }

    readAll(read(client));
    assertThat(server.logins).hasValue(2);
  }

  @Test
  void aDeadPooledConnectionIsReplaced() {
    server.on(CHANGES, head().then(changes(8)).then(tail()));
    SqlServer client = connect();
    readAll(read(client));
    network.set(Fault.stall(0).toServer());

    readAll(read(client));

    assertThat(network.hits()).isEqualTo(1);
    assertThat(server.logins).hasValue(2);
  }

  @Test
  void aSlowLinkIsWaitedForHoweverLongAllOfItTakes() {
    Duration stall = Duration.ofMillis(500);
    server.on(CHANGES, head().then(rowsOf(changesUpTo(4_000))).then(tail()));
    SqlServer client = connect(stall);
    network.set(Fault.throttle(0, Duration.ofMillis(40)));
    long begun = System.nanoTime();

    readAll(read(client));

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(stall);
    assertThat(network.hits()).isEqualTo(1);
    assertThat(server.requests).as("it isn't repeated").hasSize(1);
  }

  @Test
  void aLinkThatHoldsBackForLessThanATimeoutIsWaitedFor() {
    server.on(CHANGES, head().then(rowsOf(changesUpTo(4_000))).then(tail()));
    SqlServer client = connect(Duration.ofMinutes(1));
    network.set(Fault.delay(100_000, Duration.ofMillis(300)));

    readAll(read(client));

    assertThat(network.hits()).isEqualTo(1);
    assertThat(server.requests).as("it isn't repeated").hasSize(1);
  }

  @Test
  void aServerThatAnswersNoMetadataIsToldSo() {
    server.on(MAX_LSN, untilCancelled(new CountDownLatch(1)));

    assertThatThrownBy(() -> connect("queryTimeout", "1s").maxLsn())
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read max LSN: no answer in time");
    assertThat(server.requests).hasSize(1);
  }

  /** At once, in the middle of the TLS handshake, and before it answers to the login. */
  @ParameterizedTest
  @ValueSource(longs = {0, 500, 1_600})
  void aServerThatGoesSilentDuringALoginIsLeftByTheLoginTimeout(long at) {
    SqlServer client =
        TestClients.connect(
            Timeouts.DEFAULT,
            network.through(Link.ENCRYPTED.to(server)),
            "loginTimeout",
            "1s",
            "jdbc.connectRetryCount",
            "0");
    network.set(Fault.stall(at));

    assertThatThrownBy(client::maxLsn)
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Cannot connect (server localhost:")
        .hasMessageContaining("Check host, port and encryption in option 'url'");
    assertThat(network.hits()).isEqualTo(1);
    assertThat(network.accepted()).as("a first login isn't repeated").isEqualTo(1);
  }

  @Test
  void aLongWaitIsTold() {
    server.on(MAX_LSN, untilCancelled(new CountDownLatch(1)));
    SqlServer client = connect("queryTimeout", "1s");

    try (LogLines log = LogLines.watching()) {
      assertThatThrownBy(client::maxLsn).isInstanceOf(CdcException.class);
      assertThat(log.at(Level.INFO))
          .filteredOn(line -> line.logger().equals(Watch.class.getName()))
          .isNotEmpty()
          .allMatch(
              line -> line.text().matches("Waiting for SQL Server for \\d s: to read max LSN"));
    }
  }

  private static void assertInterrupted(CompletableFuture<Void> waits) {
    assertThatThrownBy(() -> waits.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageStartingWith("Interrupted while waiting to read ");
  }

  private Answer untilCancelled(CountDownLatch started) {
    return sink -> {
      started.countDown();
      while (server.cancels.get() == 0) {
        pause();
      }
    };
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(5);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SqlServer connect(String... namesAndValues) {
    return connect(Duration.ofSeconds(1), namesAndValues);
  }

  private SqlServer connect(Duration stall, String... namesAndValues) {
    return connect(Link.PLAIN, stall, namesAndValues);
  }

  private SqlServer connect(Link link, Duration stall, String... namesAndValues) {
    return TestClients.connect(
        new Timeouts(stall, PATIENCE), network.through(link.to(server)), namesAndValues);
  }

  /** What the bytes are wrapped in. */
  enum Link {
    PLAIN,
    ENCRYPTED;

    String to(ScriptedServer server) {
      return this == PLAIN
          ? server.url()
          : server.url().replace("encrypt=false", "encrypt=true;trustServerCertificate=true");
    }
  }
}

package io.github.mssqlcdc.sqlserver;

import static io.github.mssqlcdc.sqlserver.ScriptedServer.row;
import static io.github.mssqlcdc.sqlserver.ScriptedServer.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.connection.Watch.Patience;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ScriptedServer.Answer;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import io.github.mssqlcdc.testkit.log.LogLines;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.type.SelectColumn;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads that break, stall or aren't wanted any more, met through the real driver. */
@Timeout(60)
class RangeReaderTest {
  private static final DataType LSN = DataType.of(SqlTypeName.BINARY, 10);
  private static final DataType INT = DataType.of(SqlTypeName.INT);
  private static final DataType BIGINT = DataType.of(SqlTypeName.BIGINT);
  private static final DataType TIME = DataType.of(SqlTypeName.DATETIME);
  private static final CaptureInstance ORDERS =
      new CaptureInstance(
          "dbo_orders", "dbo", "orders", 1, 2, lsn(1), LocalDateTime.MIN, List.of("id"));
  private static final String CHANGES = "FROM [cdc].[dbo_orders_CT]";
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

  @Test
  void aDeadlockVictimGoesOnAfterTheLastMark() {
    server.on(CHANGES, head().then(broken(1205, 1, 2, 3)), head().then(changes(3)).then(tail()));

    List<Integer> ids = new ArrayList<>();
    try (RangeReader reader = read(connect())) {
      ids.addAll(some(reader, 2));
      ids.addAll(some(reader, 2));
      assertThat(reader.read(RowCursor::tail).networkWaitMs()).as("of a piece").isNull();
    }

    assertThat(ids).containsExactly(1, 2, 3);
    assertThat(server.requests).hasSize(2);
    assertThat(server.requests.get(0)).doesNotContain("@from_lsn");
    assertThat(server.requests.get(1)).contains("ct.[__$start_lsn] = @from_lsn");
    assertThat(server.logins).hasValue(2);
  }

  @Test
  void aLockThatIsNotGrantedMidwayHasTheSameBudget() {
    server.on(CHANGES, head().then(broken(1222, 1, 2)));

    assertThatThrownBy(() -> readAll(read(connect())))
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read the changes (")
        .hasMessageContaining("error 1222");
    assertThat(server.requests).hasSize(4);
  }

  @Test
  void theBudgetIsNewOnceRowsWereMarked() {
    Answer broken = head().then(broken(1205, 1, 2));
    server.on(CHANGES, broken, broken, broken, broken, broken, head().then(tailOfNone()));

    try (RangeReader reader = read(connect())) {
      for (int i = 0; i < 5; i++) {
        assertThat(some(reader, 2)).hasSize(2);
      }
      assertThat(some(reader, 2)).isEmpty();
    }
    assertThat(server.requests).hasSize(6);
  }

  @Test
  void aServerThatLagsIsFoundByEachPiece() {
    server.on(
        CHANGES,
        head().then(broken(1205, 1, 2)),
        row(List.of(LSN, BIGINT), lsn(4).bytes(), 0L).then(changes(3)).then(tail()),
        head().then(changes(3)).then(tail()));

    try (RangeReader reader = read(connect())) {
      assertThat(some(reader, 2)).containsExactly(1, 2);
      assertThat(some(reader, 2)).containsExactly(3);
    }
    assertThat(server.requests).hasSize(3);
  }

  @Test
  void withoutCommandIdsNothingIsReadTwice() {
    Object[] change = change(7);
    change[1] = null;
    server.on(CHANGES, head().then(broken(1205, List.<Object[]>of(change))));

    try (RangeReader reader = read(connect())) {
      assertThat(some(reader, 1)).containsExactly(7);
      assertThatThrownBy(() -> some(reader, 1))
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Failed to read the changes (")
          .hasMessageContaining("(error 1205; ")
          .hasMessageContaining("rows without __$command_id have no order of their own")
          .hasMessageEndingWith("the task has to begin again");
    }
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void whatDoesNotPassIsRaisedAtOnce() {
    server.on(CHANGES, head().then(broken(8134, 1, 2)));

    assertThatThrownBy(() -> readAll(read(connect())))
        .isInstanceOf(CdcException.class)
        .hasMessageContaining("error 8134")
        .hasMessageNotContaining("begin again");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void aServerThatGoesSilentBetweenRowsIsLeft() {
    server.on(CHANGES, head().then(many()).then(tail()), head().then(changes(8)).then(tail()));
    SqlServer client = connect();
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

  @Test
  void aCancelOnADeadLinkEndsByCuttingTheConnectionOff() throws Exception {
    server.on(CHANGES, head().then(many()).then(tail()));
    SqlServer client = connect(Duration.ofMinutes(1));
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

  @Test
  void anAbandonedReadOnADeadLinkIsCutOffToo() throws Exception {
    server.on(CHANGES, head().then(many()).then(tail()), head().then(changes(8)).then(tail()));
    SqlServer client = connect(Duration.ofMinutes(1));
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
  void aServerThatAnswersNoMetadataIsToldSo() {
    server.on(MAX_LSN, untilCancelled(new CountDownLatch(1)));

    assertThatThrownBy(() -> connect("queryTimeout", "1s").maxLsn())
        .isInstanceOf(CdcException.class)
        .hasMessageStartingWith("Failed to read max LSN: no answer in time");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void aServerThatAcceptsAndSaysNothingIsLeftByTheLoginTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      String url =
          server.url().replaceFirst("localhost:\\d+", "localhost:" + silent.getLocalPort());
      SqlServer client = connect("url", url, "loginTimeout", "1s", "jdbc.connectRetryCount", "0");
      assertThatThrownBy(client::maxLsn)
          .isInstanceOf(CdcException.class)
          .hasMessageStartingWith("Cannot connect (server localhost:")
          .hasMessageContaining("Check host, port and encryption in option 'url'");
    }
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

  private static List<Integer> some(RangeReader reader, int most) {
    return reader.read(cursor -> some(cursor, most));
  }

  private static List<Integer> some(RowCursor cursor, int most) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    while (ids.size() < most && cursor.next()) {
      ids.add(cursor.row().getInt(6));
    }
    if (ids.size() == most) {
      cursor.mark();
    }
    return ids;
  }

  private static void readAll(RangeReader reader) {
    try (reader) {
      reader.read(
          cursor -> {
            while (cursor.next()) {
              assertThat(cursor.row().getInt(6)).isNotNegative();
            }
            return cursor.tail();
          });
    }
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

  private static Answer head() {
    return row(List.of(LSN, BIGINT), lsn(9).bytes(), 0L);
  }

  private static Answer tail() {
    return row(List.of(LSN, LSN, BIGINT), lsn(1).bytes(), lsn(9).bytes(), null);
  }

  private static Answer tailOfNone() {
    return changes().then(tail());
  }

  private static Answer many() {
    return rowsOf(IntStream.range(0, 50_000).mapToObj(RangeReaderTest::change).toList());
  }

  private static Answer changes(int... ids) {
    return rowsOf(IntStream.of(ids).mapToObj(RangeReaderTest::change).toList());
  }

  /** Rows, then an error in their midst. */
  private static Answer broken(int number, int... ids) {
    return broken(number, IntStream.of(ids).mapToObj(RangeReaderTest::change).toList());
  }

  private static Answer broken(int number, List<@Nullable Object[]> rows) {
    return sink -> {
      List<Column> columns = new ArrayList<>();
      for (DataType type : List.of(LSN, INT, LSN, INT, TIME, INT)) {
        columns.add(new Column("c" + columns.size(), type, true));
      }
      sink.columns(columns);
      rows.forEach(sink::row);
      sink.error(new SqlServerError(number, 13, 1, "failed"));
    };
  }

  private static Answer rowsOf(List<@Nullable Object[]> rows) {
    return rows(List.of(LSN, INT, LSN, INT, TIME, INT), rows);
  }

  private static Object[] change(int id) {
    LocalDateTime at = LocalDateTime.of(2026, 9, 30, 2, 0);
    return new Object[] {lsn(2).bytes(), 1, lsn(id).bytes(), 2, at, id};
  }

  private static RangeReader read(SqlServer client) {
    return client.readChanges(
        ORDERS, ChangeRange.commits(lsn(1), lsn(5)), SelectColumn.plain(List.of("id")));
  }

  private SqlServer connect(String... namesAndValues) {
    return connect(Duration.ofSeconds(1), namesAndValues);
  }

  private SqlServer connect(Duration stall, String... namesAndValues) {
    Map<String, String> options = new HashMap<>();
    options.put("url", network.through(server.url()));
    options.put("user", "reader");
    options.put("password", "geheim");
    options.put("captureInstance", "dbo_orders");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return TestClients.connect(new Timeouts(stall, PATIENCE), options);
  }

  private static Lsn lsn(int number) {
    return new Lsn(0, number);
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention, back-pressure, and connections that break. */
@Timeout(60)
class CancelTest {
  private static final int ROWS = 1_000_000;

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger sent = new AtomicInteger();
  private TdsTestServer tds;

  @BeforeEach
  void start() {
    tds = new TdsTestServer();
    tds.backend.on("stream", (request, sink, cancelled) -> stream(sink));
    tds.backend.on(
        "block",
        (request, sink, cancelled) -> {
          started.countDown();
          cancelled.await();
          ended.countDown();
        });
  }

  @AfterEach
  void close() {
    tds.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt=false", "encrypt=true;trustServerCertificate=true"})
  void cancelEndsAStreamOfRowsAndTheConnectionLives(String encryption) throws Exception {
    try (Connection connection = tds.connect(encryption + ";databaseName=db")) {
      for (int round = 0; round < 20; round++) {
        try (Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("stream")) {
          for (int i = 0; i < 10 * round; i++) {
            assertThat(rows.next()).isTrue();
          }
          statement.cancel();
        }
        assertThat(connection.isValid(10)).isTrue();
      }
      assertThat(sent.get()).isLessThan(20 * ROWS / 2);
    }
  }

  @Test
  void cancelEndsAPreparedStreamToo() throws Exception {
    try (Connection connection = tds.connect();
        PreparedStatement statement = connection.prepareStatement("stream")) {
      for (int round = 0; round < 4; round++) {
        ResultSet rows = statement.executeQuery();
        assertThat(rows.next()).isTrue();
        statement.cancel();
        assertThatThrownBy(
                () -> {
                  while (rows.next()) {}
                })
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("canceled");
        assertThat(connection.isValid(10)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt=false", "encrypt=true;trustServerCertificate=true"})
  void cancelEndsABlockedBackend(String encryption) throws Exception {
    try (Connection connection = tds.connect(encryption + ";databaseName=db");
        Statement statement = connection.createStatement()) {
      CompletableFuture<Exception> failure = failureOf(statement);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      statement.cancel();
      assertThat(failure.get(10, TimeUnit.SECONDS)).hasMessageContaining("The query was canceled.");
      assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(connection.isValid(10)).isTrue();
    }
  }

  @Test
  void queryTimeoutEndsABlockedBackend() throws Exception {
    try (Connection connection = tds.connect();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.execute("block"))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("The query has timed out.");
      assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(connection.isValid(10)).isTrue();
    }
  }

  @Test
  void cancelAfterTheEndDoesNoHarm() throws Exception {
    try (Connection connection = tds.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 50; i++) {
        try (ResultSet rows = statement.executeQuery("SELECT 1")) {
          rows.next();
          statement.cancel();
        }
        statement.cancel();
        assertThat(connection.isValid(10)).isTrue();
      }
    }
  }

  @Test
  void cancelsAtAnyMomentLeaveTheConnectionUsable() throws Exception {
    tds.backend.on(
        "few",
        (request, sink, cancelled) -> FakeBackend.oneValue(sink, DataType.of(SqlTypeName.INT), 1));
    try (Connection connection = tds.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 300; i++) {
        CompletableFuture<Void> cancelling =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    statement.cancel();
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                });
        try (ResultSet rows = statement.executeQuery("few")) {
          rows.next();
        } catch (SQLException e) {
          assertThat(e.getMessage()).contains("canceled");
        }
        cancelling.get(10, TimeUnit.SECONDS);
      }
      assertThat(connection.isValid(10)).isTrue();
    }
  }

  @Test
  void slowClientHoldsTheBackendBack() throws Exception {
    try (Connection connection = tds.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("stream")) {
      assertThat(rows.next()).isTrue();
      int before;
      do {
        before = sent.get();
        TimeUnit.MILLISECONDS.sleep(200); // until the socket's buffers are full
      } while (sent.get() != before);
      assertThat(before).isLessThan(ROWS / 2);
      statement.cancel();
    }
  }

  @Test
  void wholeStreamArrivesInOrder() throws Exception {
    try (Connection connection = tds.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("stream")) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(rows.next() && rows.getInt(1) == i).isTrue();
      }
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void vanishedClientEndsItsRequestAndItsSession() throws Exception {
    Connection connection = tds.connect();
    Statement statement = connection.createStatement();
    CompletableFuture<Exception> failure = failureOf(statement);
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    connection.abort(Runnable::run);
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(tds.backend.firstClosed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(failure.get(10, TimeUnit.SECONDS)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypt=false", "encrypt=true;trustServerCertificate=true"})
  void droppedSocketFailsTheReadAndLetsNewClientsIn(String encryption) throws Exception {
    Connection connection = tds.connect(encryption + ";databaseName=db");
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery("stream");
    assertThat(rows.next()).isTrue();
    tds.server.disconnectAll();
    assertThatThrownBy(
            () -> {
              while (rows.next()) {}
            })
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08S01"));
    assertThat(connection.isClosed()).isTrue();
    assertThat(tds.backend.firstClosed.await(10, TimeUnit.SECONDS)).isTrue();
    tds.connect().close();
  }

  @Test
  void closedServerLeavesNoThreadAndNoClient() throws Exception {
    Connection idle = tds.connect();
    Connection busy = tds.connect("encrypt=true;trustServerCertificate=true;databaseName=db");
    CompletableFuture<Exception> failure = failureOf(busy.createStatement());
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    int port = tds.server.port();
    tds.server.close();
    assertThat(failure.get(10, TimeUnit.SECONDS)).isNotNull();
    assertThat(idle.isValid(5)).isFalse();
    assertThat(tds.backend.closedSessions).hasValue(2);
    assertThat(tds.server.connections()).isZero();
    assertThatThrownBy(() -> tds.connect()).isInstanceOf(SQLException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("tds-" + port))
        .filteredOn(Thread::isAlive)
        .isEmpty();
  }

  private static CompletableFuture<Exception> failureOf(Statement statement) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            statement.execute("block");
            return null;
          } catch (SQLException e) {
            return e;
          }
        });
  }

  private void stream(ResponseSink sink) {
    sink.columns(
        List.of(
            new Column("id", DataType.of(SqlTypeName.INT), false),
            new Column("text", DataType.of(SqlTypeName.NVARCHAR, 60), true)));
    String text = "x".repeat(60);
    for (int i = 0; i < ROWS; i++) {
      if (!sink.row(new Object[] {i, text})) {
        return;
      }
      sent.incrementAndGet();
    }
    sink.done(StatementKind.SELECT, ROWS);
  }
}

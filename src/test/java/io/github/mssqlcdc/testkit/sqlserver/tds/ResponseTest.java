package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.TransactionEvent;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How sequences of results look to the driver; as a batch and as a call where both matter. */
class ResponseTest {
  private static final DataType INT = DataType.of(SqlTypeName.INT);
  private TdsTestServer tds;
  private Connection connection;

  @BeforeEach
  void connect() throws Exception {
    tds = new TdsTestServer();
    connection = tds.connect();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    tds.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void severalResultSetsComeInOneReply(boolean asCall) throws Exception {
    tds.backend.on(
        "three",
        (request, sink, cancelled) -> {
          sink.done(StatementKind.OTHER, -1);
          FakeBackend.oneValue(sink, INT, 1);
          rows(sink, 0);
          sink.done(StatementKind.SELECT, 0);
          FakeBackend.oneValue(sink, DataType.of(SqlTypeName.NVARCHAR, 9), "three");
        });
    try (Statement statement = run(asCall, "three")) {
      assertThat(firstColumn(statement.getResultSet())).containsExactly("1");
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(firstColumn(statement.getResultSet())).isEmpty();
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(firstColumn(statement.getResultSet())).containsExactly("three");
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
    }
    assertThat(tds.received).hasSize(1);
  }

  @Test
  void updateCountsOfEveryKindArrive() throws Exception {
    tds.backend.on(
        "changes",
        (request, sink, cancelled) -> {
          sink.done(StatementKind.INSERT, 1);
          sink.done(StatementKind.UPDATE, 2);
          sink.done(StatementKind.DELETE, 3_000_000_000L);
          sink.done(StatementKind.MERGE, 4);
          sink.done(StatementKind.UPDATE, -1);
        });
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.execute("changes")).isFalse();
      assertThat(statement.getLargeUpdateCount()).isEqualTo(1);
      statement.getMoreResults();
      assertThat(statement.getLargeUpdateCount()).isEqualTo(2);
      statement.getMoreResults();
      assertThat(statement.getLargeUpdateCount()).isEqualTo(3_000_000_000L);
      statement.getMoreResults();
      assertThat(statement.getLargeUpdateCount()).isEqualTo(4);
      assertThat(statement.getMoreResults()).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(-1);
    }
    tds.backend.on("DELETE t", (request, sink, cancelled) -> sink.done(StatementKind.DELETE, 5));
    try (PreparedStatement statement = connection.prepareStatement("DELETE t")) {
      assertThat(statement.executeUpdate()).isEqualTo(5);
    }
  }

  @Test
  void updateCountStandsBeforeTheResultSet() throws Exception {
    tds.backend.on(
        "mixed",
        (request, sink, cancelled) -> {
          sink.done(StatementKind.UPDATE, 7);
          FakeBackend.oneValue(sink, INT, 1);
        });
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.execute("mixed")).isFalse();
      assertThat(statement.getUpdateCount()).isEqualTo(7);
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(firstColumn(statement.getResultSet())).containsExactly("1");
    }
    try (Statement statement = connection.createStatement()) {
      assertThat(firstColumn(statement.executeQuery("mixed"))).containsExactly("1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void errorsStandWhereTheyAroseAndTheBatchGoesOn(boolean asCall) throws Exception {
    tds.backend.on(
        "errors",
        (request, sink, cancelled) -> {
          FakeBackend.oneValue(sink, INT, 1);
          sink.error(divideByZero());
          FakeBackend.oneValue(sink, INT, 2);
        });
    try (Statement statement = run(asCall, "errors")) {
      assertThat(firstColumn(statement.getResultSet())).containsExactly("1");
      assertThatThrownBy(statement::getMoreResults)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(8134);
                assertThat(e.getMessage()).contains("Divide by zero error encountered.");
              });
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(firstColumn(statement.getResultSet())).containsExactly("2");
      assertThat(statement.getMoreResults()).isFalse();
    }
    assertThat(connection.isValid(5)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void errorAloneIsThrown(boolean asCall) throws Exception {
    tds.backend.on("bad", (request, sink, cancelled) -> sink.error(divideByZero()));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> run(asCall, "bad"))
          .isInstanceOf(SQLException.class)
          .hasMessage("Divide by zero error encountered.");
    }
    assertThat(connection.isValid(5)).isTrue();
  }

  @Test
  void errorInTheMiddleOfRowsIsThrownAtItsRow() throws Exception {
    tds.backend.on(
        "victim",
        (request, sink, cancelled) -> {
          rows(sink, 1000);
          sink.error(new SqlServerError(1205, 13, 51, "Transaction was deadlocked."));
        });
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("victim")) {
      for (int i = 0; i < 1000; i++) {
        assertThat(rows.next()).isTrue();
      }
      assertThatThrownBy(rows::next)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(1205);
                assertThat(e.getSQLState()).isEqualTo("40001");
                assertThat(e.getMessage()).contains("Transaction was deadlocked.");
              });
    }
    assertThat(connection.isValid(5)).isTrue();
  }

  @Test
  void severity20ClosesTheConnection() throws Exception {
    tds.backend.on(
        "fatal",
        (request, sink, cancelled) -> {
          sink.error(new SqlServerError(21, 20, 1, "Warning: Fatal error 21 occurred."));
          FakeBackend.oneValue(sink, INT, 1);
        });
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("fatal"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Fatal error 21");
    }
    assertThat(connection.isClosed()).isTrue();
    assertThat(tds.backend.firstClosed.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void engineBugIsAnErrorThatNamesIt() throws Exception {
    tds.backend.on(
        "bug",
        (request, sink, cancelled) -> {
          throw new IllegalStateException("forgot the catalogue");
        });
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("bug"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("forgot the catalogue");
    }
  }

  @Test
  void valueThatDoesNotFitItsColumnIsAnErrorThatNamesBoth() throws Exception {
    tds.backend.on(
        "wrong class",
        (request, sink, cancelled) ->
            FakeBackend.oneValue(sink, DataType.of(SqlTypeName.BIGINT), 1));
    tds.backend.on(
        "wrong null",
        (request, sink, cancelled) -> {
          sink.columns(List.of(new Column("c", INT, false)));
          sink.row(new Object[] {null});
        });
    try (Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> firstColumn(statement.executeQuery("wrong class")))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Cannot send Integer 1 as Column[name=, type=DataType[name=BIGINT");
    }
    try (Connection other = tds.connect();
        Statement statement = other.createStatement()) {
      assertThatThrownBy(() -> firstColumn(statement.executeQuery("wrong null")))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Cannot send NULL as Column[name=c");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesBecomeWarnings(boolean asCall) throws Exception {
    tds.backend.on(
        "print",
        (request, sink, cancelled) -> {
          sink.info(0, "hello");
          sink.done(StatementKind.UPDATE, 1);
          sink.error(new SqlServerError(50000, 10, 1, "no error"));
        });
    try (Statement statement = run(asCall, "print")) {
      assertThat(statement.getUpdateCount()).isEqualTo(1);
      assertThat(statement.getWarnings().getMessage()).isEqualTo("hello");
      statement.getMoreResults();
      assertThat(statement.getWarnings().getNextWarning().getMessage()).isEqualTo("no error");
    }
  }

  @Test
  void nothingAtAllIsASuccess() throws Exception {
    tds.backend.on("nothing", (request, sink, cancelled) -> {});
    for (boolean asCall : new boolean[] {true, false}) {
      try (Statement statement = run(asCall, "nothing")) {
        assertThat(statement.getResultSet()).isNull();
        assertThat(statement.getUpdateCount()).isEqualTo(-1);
        assertThat(statement.getMoreResults()).isFalse();
      }
    }
  }

  @Test
  void transactionsAndDatabaseAreTold() throws Exception {
    tds.backend.on(
        "use [other]",
        (request, sink, cancelled) -> {
          sink.databaseChanged("other");
          sink.info(5701, "Changed database context to 'other'.");
        });
    tds.backend.on(
        "work",
        (request, sink, cancelled) -> {
          sink.transaction(TransactionEvent.BEGIN, 0x1122334455667788L);
          sink.done(StatementKind.UPDATE, 1);
        });
    tds.backend.on(
        "IF @@TRANCOUNT > 0 COMMIT TRAN",
        (request, sink, cancelled) -> {
          sink.transaction(TransactionEvent.COMMIT, 0x1122334455667788L);
          sink.done(StatementKind.OTHER, -1);
        });
    tds.backend.on(
        "IF @@TRANCOUNT > 0 ROLLBACK TRAN",
        (request, sink, cancelled) ->
            sink.transaction(TransactionEvent.ROLLBACK, 0x1122334455667788L));
    connection.setCatalog("other");
    assertThat(connection.getCatalog()).isEqualTo("other");
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("work")).isEqualTo(1);
      connection.commit();
      assertThat(statement.executeUpdate("work")).isEqualTo(1);
      connection.rollback();
    }
  }

  @Test
  void procedureInABatchTellsItsStatus() throws Exception {
    tds.backend.on(
        "EXEC p; SELECT 3",
        (request, sink, cancelled) -> {
          FakeBackend.oneValue(sink, INT, 1);
          sink.returnStatus(0);
          FakeBackend.oneValue(sink, INT, 3);
        });
    try (Statement statement = connection.createStatement()) {
      assertThat(firstColumn(statement.executeQuery("EXEC p; SELECT 3"))).containsExactly("1");
      assertThat(statement.getMoreResults()).isTrue();
      assertThat(firstColumn(statement.getResultSet())).containsExactly("3");
    }
  }

  /** Runs it as a batch of its own, or prepared; the caller closes the statement. */
  private Statement run(boolean asCall, String sql) throws SQLException {
    if (asCall) {
      PreparedStatement prepared = connection.prepareStatement(sql);
      prepared.execute();
      return prepared;
    }
    Statement plain = connection.createStatement();
    plain.execute(sql);
    return plain;
  }

  private static SqlServerError divideByZero() {
    return new SqlServerError(8134, 16, 1, "Divide by zero error encountered.");
  }

  private static void rows(ResponseSink sink, int count) {
    sink.columns(List.of(new Column("c", INT, false)));
    for (int i = 0; i < count; i++) {
      sink.row(new Object[] {i});
    }
  }

  private static List<String> firstColumn(ResultSet rows) throws SQLException {
    List<String> values = new java.util.ArrayList<>();
    try (rows) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}

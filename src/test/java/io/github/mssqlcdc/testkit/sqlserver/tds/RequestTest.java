package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which requests reach the backend for what the driver does. */
class RequestTest {
  private TdsTestServer tds;
  private Connection connection;

  @BeforeEach
  void connect() throws Exception {
    tds = new TdsTestServer();
    connection = tds.connect();
    tds.backend.on("SELECT @P0", RequestTest::echo);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    tds.close();
  }

  @Test
  void statementsArriveAsBatches() throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE t SET c = N'ώ😀'");
    }
    assertThat(tds.backend.requests).containsExactly(new Request.Batch("UPDATE t SET c = N'ώ😀'"));
    assertThat(tds.received).containsExactly("UPDATE t SET c = N'ώ😀'");
  }

  @Test
  void preparedStatementsArriveAsTextAndValuesWhateverTheProcedure() throws Exception {
    for (String properties :
        List.of(
            "",
            "enablePrepareOnFirstPreparedStatementCall=true",
            "prepareMethod=prepare",
            "prepareMethod=prepexec;statementPoolingCacheSize=10;disableStatementPooling=false")) {
      tds.backend.requests.clear();
      try (Connection other = tds.connect("encrypt=false;databaseName=db;" + properties)) {
        for (int round = 0; round < 2; round++) {
          try (PreparedStatement statement = other.prepareStatement("SELECT ?")) {
            for (int i = 0; i < 4; i++) {
              assertThat(single(statement, i)).isEqualTo(i);
            }
          }
        }
      }
      assertThat(tds.backend.requests)
          .hasSize(8)
          .allSatisfy(
              request -> {
                assertThat(request).isInstanceOf(Request.Parameterized.class);
                assertThat(FakeBackend.text(request)).isEqualTo("SELECT @P0");
              });
    }
    assertThat(tds.received).contains("sp_prepare SELECT @P0", "SELECT @P0");
  }

  @Test
  void statementWithoutParametersCanBePrepared() throws Exception {
    tds.backend.on(
        "SELECT 2", (r, sink, c) -> FakeBackend.oneValue(sink, DataType.of(SqlTypeName.INT), 2));
    try (PreparedStatement statement = connection.prepareStatement("SELECT 2")) {
      for (int i = 0; i < 3; i++) {
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(2);
        }
      }
    }
  }

  @Test
  void closedHandlesAreForgottenWithoutTheBackend() throws Exception {
    for (int i = 0; i < 25; i++) {
      tds.backend.on("SELECT @P0 -- " + i, RequestTest::echo);
      try (PreparedStatement statement = connection.prepareStatement("SELECT ? -- " + i)) {
        single(statement, 1);
        single(statement, 2);
      }
    }
    assertThat(tds.received)
        .anySatisfy(sql -> assertThat(sql).startsWith("EXEC sp_unprepare 1;EXEC sp_unprepare 2;"));
    assertThat(tds.backend.requests)
        .noneSatisfy(
            request -> assertThat(FakeBackend.text(request)).containsIgnoringCase("unprepare"));
  }

  @Test
  void singleHandlesAreForgottenByCall() throws Exception {
    try (Connection eager =
        tds.connect(
            "encrypt=false;databaseName=db;serverPreparedStatementDiscardThreshold=1;"
                + "enablePrepareOnFirstPreparedStatementCall=true")) {
      try (PreparedStatement statement = eager.prepareStatement("SELECT ?")) {
        single(statement, 1);
      }
      try (Statement statement = eager.createStatement()) {
        statement.execute("SELECT 1");
      }
    }
    assertThat(tds.received).contains("sp_unprepare 1");
  }

  @Test
  void batchesOfPreparedUpdatesKeepTheirCounts() throws Exception {
    tds.backend.on(
        "INSERT t VALUES (@P0)",
        (request, sink, cancelled) ->
            sink.done(
                StatementKind.INSERT,
                (Integer) ((Request.Parameterized) request).parameters().get(0).value()));
    try (PreparedStatement statement = connection.prepareStatement("INSERT t VALUES (?)")) {
      for (int i = 1; i <= 20; i++) {
        statement.setInt(1, i);
        statement.addBatch();
      }
      int[] counts = statement.executeBatch();
      assertThat(counts).hasSize(20).startsWith(1, 2, 3).endsWith(19, 20);
    }
    assertThat(tds.backend.requests).hasSize(20);
  }

  @Test
  void callableStatementGetsRowsStatusAndOutput() throws Exception {
    tds.backend.on(
        "EXEC @P0 = p @P1,@P2 OUT",
        (request, sink, cancelled) -> {
          FakeBackend.oneValue(sink, DataType.of(SqlTypeName.NVARCHAR, 10), "row");
          sink.returnValue("@P2", DataType.of(SqlTypeName.NVARCHAR, 50), "out");
          sink.returnValue("@P0", DataType.of(SqlTypeName.INT), 3);
        });
    try (CallableStatement call = connection.prepareCall("{?=call p(?,?)}")) {
      for (int i = 0; i < 3; i++) {
        call.registerOutParameter(1, Types.INTEGER);
        call.setInt(2, 7);
        call.registerOutParameter(3, Types.NVARCHAR);
        try (ResultSet rows = call.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("row");
        }
        assertThat(call.getInt(1)).isEqualTo(3);
        assertThat(call.getString(3)).isEqualTo("out");
      }
    }
    Request.Parameterized request = (Request.Parameterized) tds.backend.requests.get(0);
    assertThat(request.parameters())
        .extracting(Request.Parameter::output)
        .containsExactly(true, false, true);
  }

  @Test
  void serverCursorsAreRefused() throws Exception {
    try (Statement statement =
        connection.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT 1"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Unsupported by the stand-in: server cursors (sp_cursoropen)");
    }
    assertThat(connection.isValid(5)).isTrue();
    assertThat(tds.backend.requests).containsExactly(new Request.Batch("SELECT 1"));
  }

  @Test
  void resetOfAPooledConnectionStartsASessionAnew() throws Exception {
    com.microsoft.sqlserver.jdbc.SQLServerConnectionPoolDataSource source =
        new com.microsoft.sqlserver.jdbc.SQLServerConnectionPoolDataSource();
    source.setURL(tds.url("encrypt=false;databaseName=db"));
    source.setConnectRetryCount(1); // with 0 the driver fails on the acknowledgement
    source.setUser(FakeBackend.USER);
    source.setPassword(FakeBackend.PASSWORD);
    javax.sql.PooledConnection pooled = source.getPooledConnection();
    int before = tds.backend.logins.size();
    for (int i = 0; i < 3; i++) {
      try (Connection lent = pooled.getConnection();
          PreparedStatement statement = lent.prepareStatement("SELECT ?")) {
        assertThat(single(statement, 1)).isEqualTo(1);
        assertThat(single(statement, 2)).isEqualTo(2);
        assertThat(single(statement, 3)).isEqualTo(3);
      }
    }
    pooled.close();
    assertThat(tds.backend.logins.size() - before).isEqualTo(2);
    assertThat(tds.backend.closedSessions.get()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void otherProceduresArriveByNameWithArguments() throws Exception {
    // the driver calls none by name, so that this message is written by hand
    WireReader call =
        new WireReader(
            new WireBytes()
                .u16(9)
                .utf16("sys.sp_it")
                .u16(0)
                .u8(2)
                .utf16("@a")
                .u8(1)
                .u8(TypeToken.INT_N)
                .u8(4)
                .u8(4)
                .u16(42)
                .u16(0)
                .u8(0xFF)
                .u16(0xFFFF)
                .u16(15)
                .u16(0)
                .u8(0)
                .u8(0)
                .u8(TypeToken.INT4)
                .u16(1)
                .u16(0)
                .array());
    List<RpcCall> calls = RpcDecoder.decode(call);
    assertThat(calls)
        .containsExactly(
            new RpcCall(
                "sys.sp_it",
                List.of(new Request.Parameter("@a", DataType.of(SqlTypeName.INT), 42, true))),
            new RpcCall(
                "sp_unprepare",
                List.of(new Request.Parameter("", DataType.of(SqlTypeName.INT), 1, false))));
    CallRunner.Plan plan = new CallRunner(new PreparedStatements()).plan(calls.get(0));
    assertThat(plan.request())
        .isEqualTo(new Request.Procedure("sys.sp_it", calls.get(0).arguments()));
    assertThat(plan.text()).isEqualTo("sys.sp_it");
  }

  @Test
  void namesOfTheNumberedProceduresMeanTheSame() throws Exception {
    DataType text = DataType.of(SqlTypeName.NVARCHAR, 4000);
    RpcCall call =
        new RpcCall(
            "[sys].[SP_ExecuteSQL]",
            List.of(
                new Request.Parameter("", text, "SELECT @x", false),
                new Request.Parameter("", text, "@x float", false),
                new Request.Parameter("@x", DataType.of(SqlTypeName.REAL), 1.5f, false)));
    assertThat(new CallRunner(new PreparedStatements()).plan(call).request())
        .isEqualTo(
            new Request.Parameterized(
                "SELECT @x",
                List.of(new Request.Parameter("@x", DataType.of(SqlTypeName.FLOAT), 1.5, false))));
  }

  @Test
  void unknownHandlesAndMissingOrSurplusValuesAreErrors() {
    CallRunner runner = new CallRunner(new PreparedStatements());
    Request.Parameter seven = new Request.Parameter("", DataType.of(SqlTypeName.INT), 7, false);
    assertThatThrownBy(() -> runner.plan(new RpcCall("sp_execute", List.of(seven))))
        .hasMessage("Could not find prepared statement with handle 7.");
    DataType text = DataType.of(SqlTypeName.NVARCHAR, 4000);
    Request.Parameter sql = new Request.Parameter("", text, "SELECT @x", false);
    Request.Parameter declaration = new Request.Parameter("", text, "@x int", false);
    assertThatThrownBy(() -> runner.plan(new RpcCall("sp_executesql", List.of(sql, declaration))))
        .hasMessageContaining("expects the parameter '@x', which was not supplied.");
    assertThatThrownBy(
            () ->
                runner.plan(new RpcCall("sp_executesql", List.of(sql, declaration, seven, seven))))
        .hasMessageContaining("too many arguments");
  }

  private static int single(PreparedStatement statement, int value) throws SQLException {
    statement.setInt(1, value);
    try (ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  private static void echo(Request request, ResponseSink sink, CountDownLatch cancelled) {
    Request.Parameter parameter = ((Request.Parameterized) request).parameters().get(0);
    sink.columns(List.of(new Column("c", parameter.type(), true)));
    sink.row(new Object[] {parameter.value()});
    sink.done(StatementKind.SELECT, 1);
  }
}

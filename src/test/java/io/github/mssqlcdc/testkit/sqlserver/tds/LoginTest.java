package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginTest {

  @Test
  void loginTellsUserPasswordDatabaseApplicationAndIntent() throws Exception {
    try (TdsTestServer tds = new TdsTestServer();
        Connection connection =
            tds.connect(
                "encrypt=false;databaseName=db;applicationName=Ω app;applicationIntent=ReadOnly")) {
      assertThat(tds.backend.logins)
          .containsExactly(new Backend.Login("sa", FakeBackend.PASSWORD, "db", "Ω app", true));
      assertThat(connection.getCatalog()).isEqualTo("db");
      assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(16);
      assertThat(connection.getMetaData().getDatabaseProductName())
          .isEqualTo("Microsoft SQL Server");
      assertThat(tds.received).isEmpty();
    }
  }

  @Test
  void noDatabaseAndNoIntentArriveAsSuch() throws Exception {
    try (TdsTestServer tds = new TdsTestServer();
        Connection connection = tds.connect("encrypt=false")) {
      Backend.Login login = tds.backend.logins.get(0);
      assertThat(login.database()).isEmpty();
      assertThat(login.readOnlyIntent()).isFalse();
      assertThat(connection.getCatalog()).isEqualTo("db");
    }
  }

  @Test
  void wrongPasswordGives18456() {
    try (TdsTestServer tds = new TdsTestServer()) {
      assertThatThrownBy(() -> tds.connectAs("sa", "wrong", "encrypt=false;databaseName=db"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(18456);
                assertThat(e.getSQLState()).isEqualTo("S0001");
                assertThat(e.getMessage()).contains("Login failed for user 'sa'.");
              });
      // DriverManager asks each driver that is registered, and Spark's JDBC source registers more
      assertThat(tds.backend.logins).isNotEmpty();
    }
  }

  @Test
  void unknownDatabaseGives4060() {
    try (TdsTestServer tds = new TdsTestServer()) {
      assertThatThrownBy(() -> tds.connect("encrypt=false;databaseName=nope"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(4060);
                assertThat(e.getMessage()).contains("Cannot open database \"nope\"");
              });
    }
  }

  @Test
  void smallAndLargePacketsWork() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      for (String size : new String[] {"512", "32767", "0"}) {
        try (Connection connection =
                tds.connect("encrypt=false;databaseName=db;packetSize=" + size);
            Statement statement = connection.createStatement()) {
          String padding = " ".repeat(40_000);
          statement.execute("SELECT 1" + padding);
          assertThat(FakeBackend.text(tds.backend.requests.get(0))).hasSize(40_008);
          tds.backend.requests.clear();
        }
      }
    }
  }

  @Test
  void closedClientClosesItsSession() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      tds.connect().close();
      assertThat(tds.backend.firstClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void garbageInsteadOfPreloginHurtsNoOne() throws Exception {
    try (TdsTestServer tds = new TdsTestServer()) {
      try (java.net.Socket socket = new java.net.Socket("localhost", tds.server.port())) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
      tds.connect().close();
    }
  }
}

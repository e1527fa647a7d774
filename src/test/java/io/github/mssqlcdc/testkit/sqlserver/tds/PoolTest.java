package io.github.mssqlcdc.testkit.sqlserver.tds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HikariCP over the driver. */
class PoolTest {
  private TdsTestServer tds;

  @BeforeEach
  void start() {
    tds = new TdsTestServer();
  }

  @AfterEach
  void close() {
    tds.close();
  }

  @Test
  void poolStartsAndLendsWithoutFurtherRoundTrips() throws Exception {
    try (HikariDataSource pool = new HikariDataSource(config())) {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("one");
      }
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("two");
      }
      assertThat(tds.received).containsExactly("SELECT 1", "one", "two");
      assertThat(tds.backend.logins).hasSize(1);
    }
  }

  @Test
  void snapshotIsolationOfThePoolReachesTheBackend() throws Exception {
    HikariConfig config = config();
    config.setTransactionIsolation("4096");
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("one");
      connection.commit();
      assertThat(tds.received)
          .containsSubsequence("set transaction isolation level  snapshot ", "one")
          .contains("set implicit_transactions on ", "IF @@TRANCOUNT > 0 COMMIT TRAN");
    }
  }

  @Test
  void poolReplacesConnectionsThatTheServerDropped() throws Exception {
    try (HikariDataSource pool = new HikariDataSource(config())) {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        tds.server.disconnectAll();
        assertThatThrownBy(() -> statement.execute("one"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08S01"));
      }
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("two");
      }
      assertThat(tds.received).contains("two").doesNotContain("one");
      assertThat(tds.backend.logins).hasSize(2);
    }
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(tds.url("encrypt=true;trustServerCertificate=true;databaseName=db"));
    config.setUsername(FakeBackend.USER);
    config.setPassword(FakeBackend.PASSWORD);
    config.setMaximumPoolSize(1);
    return config;
  }
}

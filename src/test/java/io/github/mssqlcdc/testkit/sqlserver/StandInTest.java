package io.github.mssqlcdc.testkit.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole stand-in, through the driver and the pool. */
@Timeout(60)
class StandInTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
  private StandIn standIn;
  private StandInDatabase database;

  @BeforeEach
  void start() {
    standIn =
        StandIn.builder().clock(clock).timeZone(ZoneId.of("Europe/Berlin")).manualCapture().start();
    database = StandInDatabase.create(standIn);
    database.run(
        """
        CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL,
            amount decimal(10, 2) NULL, at datetime2(7) NULL);
        INSERT dbo.orders (id, name) VALUES (1, N'before CDC');
        EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',
            @role_name = NULL, @supports_net_changes = 0;
        """);
    standIn.capture();
  }

  @AfterEach
  void stop() {
    database.close();
    standIn.close();
  }

  private static List<List<Object>> results(Statement statement, boolean first)
      throws SQLException {
    List<List<Object>> results = new ArrayList<>();
    boolean more = first;
    while (more) {
      List<Object> rows = new ArrayList<>();
      try (ResultSet result = statement.getResultSet()) {
        while (result.next()) {
          Object value = result.getObject(1);
          rows.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
        }
      }
      results.add(rows);
      more = statement.getMoreResults();
    }
    return results;
  }

  @Test
  void changesAreCapturedInOrderWithTheCommitsTime() {
    database.run("INSERT dbo.orders (id, name) VALUES (2, N'b')");
    clock.advance(Duration.ofSeconds(5));
    database.run(
        "BEGIN TRAN; UPDATE dbo.orders SET name = N'B' WHERE id = 2;"
            + " UPDATE dbo.orders SET id = id + 10; DELETE dbo.orders WHERE id = 11; COMMIT");
    assertThat(database.query("SELECT id FROM cdc.dbo_orders_CT")).isEmpty();
    standIn.capture();

    assertThat(
            database.query(
                """
                SELECT ct.__$operation, ct.id, ct.name, m.tran_end_time
                FROM [cdc].[dbo_orders_CT] AS ct
                LEFT JOIN [cdc].[lsn_time_mapping] AS m ON m.[start_lsn] = ct.[__$start_lsn]
                ORDER BY ct.[__$start_lsn], ct.[__$command_id], ct.[__$seqval], ct.[__$operation]
                """))
        .extracting(row -> row.get(0) + " " + row.get(1) + " " + row.get(2) + " " + row.get(3))
        .containsExactly(
            "2 2 b 2026-03-01 13:00:00.0",
            "3 2 b 2026-03-01 13:00:05.0",
            "4 2 B 2026-03-01 13:00:05.0",
            "1 1 before CDC 2026-03-01 13:00:05.0",
            "1 2 B 2026-03-01 13:00:05.0",
            "2 11 before CDC 2026-03-01 13:00:05.0",
            "2 12 B 2026-03-01 13:00:05.0",
            "1 11 before CDC 2026-03-01 13:00:05.0");
  }

  @Test
  void theChangeFunctionGivesTheSameRowsAndRefusesABadRange() {
    database.run("INSERT dbo.orders (id, name) VALUES (2, N'b')");
    standIn.capture();

    String changes =
        "DECLARE @from binary(10) = sys.fn_cdc_get_min_lsn('dbo_orders'),"
            + " @to binary(10) = sys.fn_cdc_get_max_lsn();"
            + " SELECT __$operation, id FROM cdc.fn_cdc_get_all_changes_dbo_orders(@from, @to, N'all')";
    assertThat(database.query(changes)).containsExactly(List.of(2, 2));
    assertThatThrownBy(() -> database.query(changes.replace("@from, @to", "@to, @from")))
        .hasRootCauseMessage(
            "An insufficient number of arguments were supplied for the procedure or function"
                + " cdc.fn_cdc_get_all_changes_ ... .");
  }

  @Test
  void minLsnIsZeroForWhomTheTableIsClosed() throws SQLException {
    database.run(
        "CREATE LOGIN reader WITH PASSWORD = 'Pass-1'",
        "CREATE USER reader FOR LOGIN reader",
        "GRANT SELECT ON cdc.dbo_orders_CT TO reader");
    String question =
        "SELECT sys.fn_cdc_get_min_lsn('dbo_orders'); SELECT sys.fn_cdc_get_max_lsn();"
            + " SELECT COUNT(*) FROM cdc.lsn_time_mapping; SELECT id FROM cdc.dbo_orders_CT";
    try (Connection connection = DriverManager.getConnection(database.url(), "reader", "Pass-1");
        Statement statement = connection.createStatement()) {
      List<List<Object>> closed = results(statement, statement.execute(question));
      assertThat(closed.get(0)).containsExactly("00000000000000000000");
      assertThat(closed.get(1).get(0)).isNotEqualTo("00000000000000000000");

      database.run("GRANT SELECT ON dbo.orders TO reader");
      List<List<Object>> open = results(statement, statement.execute(question));
      assertThat(open.get(0).get(0)).isNotEqualTo("00000000000000000000");
      assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM cdc.change_tables"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getErrorCode()).isEqualTo(229);
                assertThat(e.getSQLState()).isEqualTo("S0005");
              });
    }
  }

  @Test
  void severalResultsComeInOneReplyHoweverOftenItIsPrepared() throws SQLException {
    String sql =
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT sys.fn_cdc_get_max_lsn();"
            + " SELECT TOP (?) id FROM dbo.orders WHERE id >= ? ORDER BY id;"
            + " SELECT sys.fn_cdc_get_min_lsn(?)";
    database.run("INSERT dbo.orders (id) VALUES (2), (3), (4)");
    try (Connection connection = database.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int run = 0; run < 4; run++) {
        statement.setLong(1, 2);
        statement.setInt(2, 2);
        statement.setString(3, "dbo_orders");
        List<List<Object>> results = results(statement, statement.execute());
        assertThat(results).hasSize(3);
        assertThat(results.get(1)).containsExactly(2, 3);
      }
    }
  }

  @Test
  void batchesSavepointsAndTransactionsWork() throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO dbo.orders VALUES (?, ?, ?, ?)")) {
        for (int id = 10; id < 15; id++) {
          insert.setInt(1, id);
          insert.setString(2, "n" + id);
          insert.setBigDecimal(3, new BigDecimal("1.255"));
          insert.setObject(4, LocalDateTime.of(2024, 3, 10, 2, 30));
          insert.addBatch();
        }
        assertThat(insert.executeBatch()).containsExactly(1, 1, 1, 1, 1);
      }
      Savepoint savepoint = connection.setSavepoint("a");
      try (Statement statement = connection.createStatement()) {
        assertThat(statement.executeUpdate("DELETE FROM dbo.orders WHERE id > 10")).isEqualTo(4);
        connection.rollback(savepoint);
        connection.commit();
        connection.setAutoCommit(true);
        try (ResultSet rows =
            statement.executeQuery("SELECT amount, at FROM dbo.orders WHERE id = 14")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getBigDecimal(1)).isEqualTo(new BigDecimal("1.26"));
          assertThat(rows.getObject(2, LocalDateTime.class))
              .isEqualTo(LocalDateTime.of(2024, 3, 10, 2, 30));
        }
      }
    }
  }

  @Test
  void aStatementIsCancelledAndTheConnectionLives() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);

      assertThatThrownBy(() -> statement.execute("WAITFOR DELAY '00:01:00'"))
          .isInstanceOf(SQLTimeoutException.class);
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @Test
  void aBlockedWriterIsCancelledToo() throws SQLException {
    try (Connection first = database.connect();
        Connection second = database.connect();
        Statement blocker = first.createStatement();
        Statement blocked = second.createStatement()) {
      first.setAutoCommit(false);
      blocker.executeUpdate("UPDATE dbo.orders SET name = 'x'");
      blocked.setQueryTimeout(1);

      assertThatThrownBy(() -> blocked.executeUpdate("UPDATE dbo.orders SET name = 'y'"))
          .isInstanceOf(SQLTimeoutException.class);
      first.rollback();
      blocked.setQueryTimeout(0);
      assertThat(blocked.executeUpdate("UPDATE dbo.orders SET name = 'y'")).isEqualTo(1);
    }
  }

  @Test
  void thePoolFindsWhatItSends() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    config.setAutoCommit(false);
    config.setTransactionIsolation("4096");
    config.setMaximumPoolSize(2);
    database.run("ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      for (int i = 0; i < 3; i++) {
        try (Connection connection = pool.getConnection();
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM dbo.orders")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void requestsAreListedWithWhoSentThem() {
    standIn.clearRequests();
    database.query("SELECT id FROM dbo.orders");

    assertThat(standIn.requests())
        .extracting(StandIn.Received::login, StandIn.Received::sql)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("sa", "SELECT id FROM dbo.orders"));
  }

  @Test
  void cleanupMovesTheWatermarkAndRemovesRows() {
    database.run("INSERT dbo.orders (id) VALUES (2)");
    standIn.capture();
    clock.advance(Duration.ofHours(2));
    database.run("INSERT dbo.orders (id) VALUES (3)");
    standIn.capture();
    standIn.cleanup(Duration.ofHours(1));

    assertThat(database.query("SELECT id FROM cdc.dbo_orders_CT")).containsExactly(List.of(3));
  }

  @Test
  void captureRunsOnItsOwnUnlessToldOtherwise() throws Exception {
    try (StandIn automatic = StandIn.start();
        StandInDatabase other = StandInDatabase.create(automatic)) {
      other.run(
          "CREATE TABLE dbo.t (id int NOT NULL PRIMARY KEY)",
          "EXEC sys.sp_cdc_enable_table N'dbo', N't', @role_name = NULL",
          "INSERT dbo.t VALUES (1)");
      while (other.query("SELECT id FROM cdc.dbo_t_CT").isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(other.query("SELECT sys.fn_cdc_get_max_lsn()").get(0).get(0)).isNotNull();
    }
  }
}

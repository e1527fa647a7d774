package io.github.mssqlcdc.testkit.contract;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database made for one test class on a server that is there, which any SQL Server can be.
 *
 * <p>Capture is awaited through a marker: a tracked table of its own takes a row, and capture works
 * in commit order, so once the marker stands in its change table everything before it does too. The
 * capture job captures, or, where SQL Server Agent doesn't run, the waiting itself.
 */
final class SqlServerDatabase implements TestDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(SqlServerDatabase.class);
  private static final Duration CAPTURE_TIMEOUT = Duration.ofMinutes(2);

  /** Another scan is running: the capture job's. */
  private static final int SCAN_RUNS = 22903;

  private final TestServer server;
  private final String name;
  private final TestLogins logins = new TestLogins();

  private SqlServerDatabase(TestServer server, String name) {
    this.server = server;
    this.name = name;
  }

  /** Makes the database; the login must be allowed to create one and to enable CDC in it. */
  static SqlServerDatabase create(TestServer server, String prefix, @Nullable String collation) {
    String name = prefix + UUID.randomUUID().toString().replace("-", "");
    var database = new SqlServerDatabase(server, name);
    database.client("master").run(DatabaseClient.create(name, collation));
    database.run(
        "EXEC sys.sp_cdc_enable_db",
        "CREATE TABLE dbo.contract_marker (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'contract_marker',"
            + " @role_name = NULL, @supports_net_changes = 0",
        "EXEC sys.sp_cdc_change_job @job_type = N'capture', @pollinginterval = 1");
    database.restartCapture();
    return database;
  }

  /**
   * A job takes its new settings at its next start. Without a running Agent there is none to
   * restart, and {@link #awaitCapture} scans the log itself.
   */
  private void restartCapture() {
    for (String step : List.of("stop", "start")) {
      try {
        run("EXEC sys.sp_cdc_" + step + "_job @job_type = N'capture'");
      } catch (IllegalStateException e) {
        LOG.info("Contract tests: cannot {} the capture job: {}", step, e.getCause().getMessage());
      }
    }
  }

  @Override
  public String url() {
    return server.url() + ";databaseName=" + DatabaseClient.inUrl(name);
  }

  @Override
  public String user() {
    return server.user();
  }

  @Override
  public String password() {
    return server.password();
  }

  @Override
  public Connection connect() throws SQLException {
    return client(name).connect();
  }

  @Override
  public void run(String... batches) {
    client(name).run(batches);
  }

  @Override
  public List<List<Object>> query(String sql) {
    return client(name).query(sql);
  }

  private DatabaseClient client(String database) {
    return new DatabaseClient(
        server.url() + ";databaseName=" + DatabaseClient.inUrl(database), user(), password());
  }

  @Override
  public TestLogin createLogin(String user) {
    return logins.create(client(name), user);
  }

  @Override
  public void awaitCapture() {
    int marker = (int) (System.nanoTime() >>> 20) & Integer.MAX_VALUE;
    run("INSERT INTO dbo.contract_marker (id) VALUES (" + marker + ")");
    Instant deadline = Instant.now().plus(CAPTURE_TIMEOUT);
    String find = "SELECT 1 FROM cdc.dbo_contract_marker_CT WHERE id = " + marker;
    scan();
    while (query(find).isEmpty()) {
      if (Instant.now().isAfter(deadline)) {
        throw new IllegalStateException(
            "Capture has not reached a commit within "
                + CAPTURE_TIMEOUT
                + ": is the Agent on? May the login scan the log?");
      }
      Pause.briefly();
      scan();
    }
  }

  /** What the capture job does at a poll, where it doesn't run. */
  private void scan() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("EXEC sys.sp_cdc_scan");
    } catch (SQLException e) {
      if (e.getErrorCode() != SCAN_RUNS) {
        LOG.info("Contract tests: cannot scan the log: {}", e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    client("master").run(DatabaseClient.drop(name));
    logins.drop(client("master"));
  }
}

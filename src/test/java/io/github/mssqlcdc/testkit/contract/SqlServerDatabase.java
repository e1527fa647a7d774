package io.github.mssqlcdc.testkit.contract;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A database made for one test class on a server reached by URL, which any SQL Server with a
 * running Agent can be.
 *
 * <p>Capture is awaited through a marker: a tracked table of its own takes a row, and capture works
 * in commit order, so once the marker stands in its change table everything before it does too.
 */
final class SqlServerDatabase implements TestDatabase {
  private static final Duration CAPTURE_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);

  private final String serverUrl;
  private final String user;
  private final String password;
  private final String name;

  private SqlServerDatabase(String serverUrl, String user, String password, String name) {
    this.serverUrl = serverUrl;
    this.user = user;
    this.password = password;
    this.name = name;
  }

  /** Makes the database; the login must be allowed to create one and to enable CDC in it. */
  static SqlServerDatabase create(
      String serverUrl, String user, String password, String prefix, @Nullable String collation) {
    String name = prefix + UUID.randomUUID().toString().replace("-", "");
    var database = new SqlServerDatabase(serverUrl, user, password, name);
    database.client("master").run(DatabaseClient.create(name, collation));
    database.run(
        "EXEC sys.sp_cdc_enable_db",
        "CREATE TABLE dbo.contract_marker (id int NOT NULL PRIMARY KEY)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'contract_marker',"
            + " @role_name = NULL, @supports_net_changes = 0",
        "EXEC sys.sp_cdc_change_job @job_type = N'capture', @pollinginterval = 1");
    return database;
  }

  @Override
  public String url() {
    return serverUrl + ";databaseName=" + DatabaseClient.inUrl(name);
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public String password() {
    return password;
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
        serverUrl + ";databaseName=" + DatabaseClient.inUrl(database), user, password);
  }

  @Override
  public void awaitCapture() {
    int marker = (int) (System.nanoTime() >>> 20) & Integer.MAX_VALUE;
    run("INSERT INTO dbo.contract_marker (id) VALUES (" + marker + ")");
    Instant deadline = Instant.now().plus(CAPTURE_TIMEOUT);
    String find = "SELECT 1 FROM cdc.dbo_contract_marker_CT WHERE id = " + marker;
    while (query(find).isEmpty()) {
      if (Instant.now().isAfter(deadline)) {
        throw new IllegalStateException(
            "Capture has not reached a commit within " + CAPTURE_TIMEOUT + ": is the Agent on?");
      }
      pause();
    }
  }

  @Override
  public void close() {
    client("master").run(DatabaseClient.drop(name));
  }

  private static void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for capture", e);
    }
  }
}

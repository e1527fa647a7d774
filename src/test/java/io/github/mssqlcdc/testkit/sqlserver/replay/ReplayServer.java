package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.process.JavaProcess;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A stand-in whose database {@code replay} has replayed tables. The engine holds their first and
 * their last row, and two change rows of each commit.
 */
public final class ReplayServer implements AutoCloseable {
  static final String DATABASE = "replay";

  private static final int COMMITS_AT_ONCE = 200;

  private final ReplayBackend backend;
  private final StandIn standIn;

  private ReplayServer() {
    AtomicReference<ReplayBackend> made = new AtomicReference<>();
    this.standIn =
        StandIn.builder()
            .front(
                engine -> {
                  made.set(new ReplayBackend(engine));
                  return Objects.requireNonNull(made.get());
                })
            .start();
    this.backend = Objects.requireNonNull(made.get());
  }

  static ReplayServer start(List<ReplayTable> tables) throws SQLException {
    ReplayServer server = new ReplayServer();
    server.run("master", "CREATE DATABASE " + DATABASE);
    server.run(DATABASE, "EXEC sys.sp_cdc_enable_db");
    for (ReplayTable table : tables) {
      server.add(table);
    }
    return server;
  }

  /**
   * Prints the port in a line of its own, and serves until standard input ends: with the process
   * that has started it, it ends, too.
   *
   * @param args tables, as {@link ReplayTable#argument} writes them
   */
  public static void main(String[] args) throws Exception {
    List<ReplayTable> tables = new ArrayList<>();
    for (String arg : args) {
      tables.add(ReplayTable.parse(arg));
    }
    try (ReplayServer server = start(tables)) {
      System.out.println(JavaProcess.ANSWER + server.standIn.port());
      while (System.in.read() >= 0) {
        // nothing is said to it
      }
    }
  }

  StandIn standIn() {
    return standIn;
  }

  private void add(ReplayTable table) throws SQLException {
    String name = "dbo." + table.name();
    run(
        DATABASE,
        "CREATE TABLE " + name + " (" + table.definition() + ")",
        "INSERT INTO " + name + " (id) VALUES (1), (" + table.rows() + ")",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table.name()
            + "', @role_name = NULL");
    String commit =
        "BEGIN TRAN; INSERT INTO %s (id) VALUES (0); DELETE FROM %<s WHERE id = 0; COMMIT;\n"
            .formatted(name);
    int commits = table.changes() == 0 ? 0 : table.commits();
    for (int made = 0; made < commits; made += COMMITS_AT_ONCE) {
      run(DATABASE, commit.repeat(Math.min(COMMITS_AT_ONCE, commits - made)));
    }
    standIn.capture();
    backend.add(new Replayed(table, new Commits(commits(table, commits), table.changes())));
  }

  private List<Commits.Commit> commits(ReplayTable table, int expected) throws SQLException {
    List<Commits.Commit> commits = new ArrayList<>();
    try (Connection connection = connect(DATABASE);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT m.start_lsn, m.tran_end_time FROM cdc.lsn_time_mapping AS m WHERE EXISTS"
                    + " (SELECT 1 FROM cdc."
                    + table.captureInstance()
                    + "_CT AS ct WHERE ct.[__$start_lsn] = m.start_lsn) ORDER BY m.start_lsn")) {
      while (rows.next()) {
        commits.add(new Commits.Commit(rows.getBytes(1), rows.getObject(2, LocalDateTime.class)));
      }
    }
    if (commits.size() != expected) {
      throw new IllegalStateException(
          "Captured " + commits.size() + " of " + expected + " commits of " + table.name());
    }
    return commits;
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        standIn.url(database), standIn.adminUser(), standIn.adminPassword());
  }

  private void run(String database, String... batches) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String batch : batches) {
        statement.execute(batch);
        while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
          // an error of a later statement comes with its result
        }
      }
    }
  }

  @Override
  public void close() {
    standIn.close();
  }
}

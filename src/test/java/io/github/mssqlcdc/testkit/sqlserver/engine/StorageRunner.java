package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.H2Statement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs H2's statements in the session's transaction, with SQL Server's waits and errors. */
final class StorageRunner {
  private static final Set<String> LOCKING =
      Set.of("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE");

  private final Session session;
  private final ResponseSink out;

  StorageRunner(Session session, ResponseSink out) {
    this.session = session;
    this.out = out;
  }

  /** What takes the rows of a query; returns their count. */
  interface Rows {
    long read(ResultSet rows) throws SQLException, SqlServerError;
  }

  long query(H2Statement statement, Rows reader) throws SqlServerError {
    Database database = session.current();
    boolean tables = !statement.reads().isEmpty();
    if (tables) {
      session.transactions().enter(out);
    }
    boolean done = false;
    try {
      Connection connection =
          tables ? session.transactions().connection(database) : session.spare(database);
      awaitLocks(database, statement);
      long count = read(connection, statement, reader);
      if (tables) {
        session.transactions().releaseReads(database);
      }
      done = true;
      return count;
    } catch (SQLException e) {
      throw failure(database, e, Optional.empty());
    } finally {
      if (tables) {
        session.transactions().leave(done);
      }
    }
  }

  private long read(Connection connection, H2Statement statement, Rows reader)
      throws SQLException, SqlServerError {
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      session.running(prepared);
      Storage.bind(prepared, statement.values());
      try (ResultSet rows = prepared.executeQuery()) {
        return reader.read(rows);
      }
    } finally {
      session.running(null);
    }
  }

  /** Readers at a locking level wait for writers; a row version or NOLOCK reads past them. */
  private void awaitLocks(Database database, H2Statement statement) throws SqlServerError {
    Set<String> hints = statement.hints();
    String level = session.options().isolation();
    boolean versions = level.equals("READ COMMITTED") && database.readCommittedSnapshot();
    boolean dirty = hints.contains("NOLOCK") || hints.contains("READUNCOMMITTED");
    boolean locking =
        (LOCKING.contains(level) && !versions && !dirty)
            || hints.contains("READCOMMITTEDLOCK")
            || hints.contains("TABLOCKX");
    if (!locking) {
      return;
    }
    for (Table table : statement.reads()) {
      database
          .locks()
          .awaitReadable(
              session, table.objectId(), session.options().lockTimeoutMs(), session::cancelled);
      session.checkCancelled();
      if (hints.contains("TABLOCKX")) {
        database.locks().write(session, table.objectId());
      }
    }
  }

  /** Returns how many rows were changed. */
  long change(Table table, H2Statement statement) throws SqlServerError {
    Database database = session.current();
    Transaction transaction = session.transactions().enter(out);
    boolean done = false;
    try {
      awaitLocks(database, statement);
      Connection connection = session.transactions().connection(database);
      database.locks().write(session, table.objectId());
      int number = transaction.nextStatement();
      long count =
          waiting(
              () ->
                  database
                      .recorder()
                      .record(
                          number,
                          transaction.changes(database),
                          lobLimit(database, table),
                          () -> update(connection, statement)));
      done = true;
      return count;
    } catch (SQLException e) {
      throw failure(database, e, Optional.of(table));
    } finally {
      session.transactions().leave(done);
    }
  }

  private int lobLimit(Database database, Table table) {
    boolean tracked = database.extension().map(e -> e.tracks(table.objectId())).orElse(false);
    return tracked ? session.engine().configuration().maxTextReplSize() : -1;
  }

  private long update(Connection connection, H2Statement statement) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      session.running(prepared);
      Storage.bind(prepared, statement.values());
      return prepared.executeLargeUpdate();
    } finally {
      session.running(null);
    }
  }

  /** H2 waits for a lock only briefly; tried again until the session's own timeout. */
  private long waiting(ChangeRecorder.Work<Long> work) throws SQLException, SqlServerError {
    long timeoutMs = session.options().lockTimeoutMs();
    long start = System.nanoTime();
    while (true) {
      try {
        return work.run();
      } catch (SQLException e) {
        if (!H2Errors.isLockTimeout(e)) {
          throw e;
        }
        session.checkCancelled();
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (timeoutMs >= 0 && waitedMs >= timeoutMs) {
          throw H2Errors.lockTimeout();
        }
      }
    }
  }

  /**
   * Changes storage's structure. H2 commits with it, so it is refused once the transaction has
   * changed rows.
   */
  void define(List<String> statements) throws SqlServerError {
    Database database = session.current();
    if (session.transactions().hasChanges()) {
      throw new SqlServerError(
          226, 16, 6, "DDL command not allowed within multi-statement transaction.");
    }
    session.transactions().enter(out);
    try {
      Connection connection = session.transactions().connection(database);
      for (String sql : statements) {
        waiting(() -> execute(connection, sql));
      }
    } catch (SQLException e) {
      throw failure(database, e, Optional.empty());
    } finally {
      session.transactions().leave(true);
    }
  }

  private long execute(Connection connection, String sql) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      session.running(statement);
      return statement.executeLargeUpdate(sql);
    } finally {
      session.running(null);
    }
  }

  private SqlServerError failure(Database database, SQLException e, Optional<Table> target) {
    if (H2Errors.isCancelled(e)) {
      throw new Cancelled();
    }
    return new H2Errors(database.name(), database.catalog())
        .translate(e, target, session.transactions().isSnapshot());
  }
}

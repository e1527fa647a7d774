package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's session: where it is, who it is, what it has set and begun. */
final class Session implements BackendSession {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private final SqlServerEngine engine;
  private final int spid;
  private final String login;
  private final Backend.Login request;
  private final Transactions transactions;
  private final WaitStatistics waits = new WaitStatistics();
  private final Map<Database, Connection> spare = new HashMap<>();
  private final RequestRunner runner;
  private volatile Database database;
  private volatile SessionOptions options = SessionOptions.defaults();
  private volatile boolean cancelled;
  private volatile boolean killed;
  private volatile @Nullable Statement running;
  private long rowCount;
  private int lastError;
  private String identityInsert = "";

  Session(
      SqlServerEngine engine, int spid, String login, Backend.Login request, Database database) {
    this.engine = engine;
    this.spid = spid;
    this.login = login;
    this.request = request;
    this.database = database;
    this.transactions = new Transactions(this, () -> options);
    this.runner = new RequestRunner(this);
  }

  SqlServerEngine engine() {
    return engine;
  }

  ServerClock clock() {
    return engine.clock();
  }

  String login() {
    return login;
  }

  String application() {
    return request.application();
  }

  Transactions transactions() {
    return transactions;
  }

  WaitStatistics waits() {
    return waits;
  }

  Database current() {
    return database;
  }

  /** Goes to another database; the caller has checked that it may. */
  void enter(Database target) {
    database = target;
  }

  SessionOptions options() {
    return options;
  }

  void setOptions(SessionOptions changed) {
    options = changed;
  }

  long rowCount() {
    return rowCount;
  }

  void setRowCount(long rows) {
    rowCount = rows;
  }

  int lastError() {
    return lastError;
  }

  void setLastError(int number) {
    lastError = number;
  }

  /** The table for which IDENTITY_INSERT is on, as schema.table; empty: none. */
  String identityInsert() {
    return identityInsert;
  }

  void setIdentityInsert(String table) {
    identityInsert = table;
  }

  boolean sysadmin() {
    return engine.logins().find(login).map(Logins.Login::sysadmin).orElse(false);
  }

  /** A connection outside of any transaction, for what touches no table. */
  Connection spare(Database target) throws SQLException {
    Connection connection = spare.get(target);
    if (connection == null) {
      connection = target.storage().connect();
      spare.put(target, connection);
    }
    return connection;
  }

  /** What {@link #cancel} has to stop in storage; null: nothing. */
  void running(@Nullable Statement statement) {
    running = statement;
    if (statement != null) {
      checkCancelled();
    }
  }

  void checkCancelled() {
    if (cancelled) {
      throw new Cancelled();
    }
  }

  boolean cancelled() {
    return cancelled;
  }

  @Override
  public String database() {
    return database.name();
  }

  @Override
  public String collation() {
    return current().catalog().collation();
  }

  @Override
  public int spid() {
    return spid;
  }

  @Override
  public void execute(Request asked, ResponseSink sink) {
    cancelled = false;
    if (killed) {
      sink.error(
          new SqlServerError(
              596,
              21,
              1,
              "Cannot continue the execution because the session is in the kill state."));
      return;
    }
    runner.run(asked, new Replies(sink, waits));
  }

  @Override
  public void cancel() {
    cancelled = true;
    Statement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        // it has ended meanwhile
        LOG.debug("Failed to cancel", e);
      }
    }
  }

  boolean killed() {
    return killed;
  }

  /** Ends it from outside, as when its database is taken away. */
  void kill() {
    killed = true;
    cancel();
  }

  /** Lets go of a database that is about to be dropped. */
  void forget(Database gone) throws SQLException {
    transactions.forget(gone);
    Connection connection = spare.remove(gone);
    if (connection != null) {
      connection.close();
    }
  }

  @Override
  public void close() {
    transactions.close();
    try {
      for (Connection connection : spare.values()) {
        connection.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to close session " + spid, e);
    } finally {
      spare.clear();
      engine.forget(this);
    }
  }
}

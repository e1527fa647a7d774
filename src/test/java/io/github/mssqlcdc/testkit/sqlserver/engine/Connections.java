package io.github.mssqlcdc.testkit.sqlserver.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session's connections to storage, one per database it has been in, none in autocommit. */
final class Connections implements AutoCloseable {
  private static final int LOCK_POLL_MS = 50;

  private final Map<Database, Connection> open = new LinkedHashMap<>();

  /** Databases that have a connection. */
  List<Database> open() {
    return List.copyOf(open.keySet());
  }

  Connection of(Database database) throws SQLException {
    Connection connection = open.get(database);
    if (connection == null) {
      connection = database.storage().connect();
      connection.setAutoCommit(false);
      try (java.sql.Statement statement = connection.createStatement()) {
        // short waits, tried again by the session: so they can be cancelled and timed
        statement.execute("SET LOCK_TIMEOUT " + LOCK_POLL_MS);
      }
      open.put(database, connection);
    }
    return connection;
  }

  void forget(Database database) throws SQLException {
    Connection connection = open.remove(database);
    if (connection != null) {
      connection.rollback();
      connection.close();
    }
  }

  @Override
  public void close() {
    for (Connection connection : open.values()) {
      try {
        connection.rollback();
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("Failed to close a session's storage", e);
      }
    }
    open.clear();
  }
}

package io.github.mssqlcdc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a new connection to the database. Called by a pool's threads; thread-safe. */
@FunctionalInterface
public interface ConnectionOpener {
  Connection open() throws SQLException;
}

package io.github.mssqlcdc.connection;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data source under HikariCP. It bends two habits of the pool:
 *
 * <ul>
 *   <li>A connection's liveness check is answered from what the driver knows, so that it costs no
 *       round trip; a dead connection is met by the retry.
 *   <li>A login that fails yields a connection that carries the error to the borrower. HikariCP
 *       would otherwise repeat the login until its own timeout, which locks accounts and hides the
 *       reason.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class PhysicalConnections implements DataSource {
  private final ConnectionOpener opener;
  private volatile boolean worked;

  /** A connection that could not be opened. */
  interface Failed {
    SQLException failure();

    /** When opening it failed, by {@link System#nanoTime}. */
    long failedAt();
  }

  PhysicalConnections(ConnectionOpener opener) {
    this.opener = opener;
  }

  @Override
  public Connection getConnection() {
    try {
      Connection connection = opener.open();
      worked = true;
      return unchecked(connection);
    } catch (SQLException e) {
      return failed(e);
    }
  }

  /** Whether a connection has ever been opened. */
  boolean worked() {
    return worked;
  }

  private static Connection unchecked(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            PhysicalConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isValid")) {
                return !connection.isClosed();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Answers as a new connection does, so that the pool takes it; it is never used for SQL. */
  private static Connection failed(SQLException failure) {
    long failedAt = System.nanoTime();
    return (Connection)
        Proxy.newProxyInstance(
            PhysicalConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class, Failed.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "failure" -> failure;
                  case "failedAt" -> failedAt;
                  case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
                  case "getAutoCommit" -> true;
                  case "isWrapperFor" -> ((Class<?>) arguments[0]).isInstance(proxy);
                  case "unwrap" -> proxy;
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  case "toString" -> "failed connection";
                  default -> nothing(method.getReturnType());
                });
  }

  private static @Nullable Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? 0 : null;
  }

  @Override
  public Connection getConnection(String user, String password) {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("Cannot unwrap to " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}

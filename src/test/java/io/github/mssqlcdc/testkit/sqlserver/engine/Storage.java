package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.OrderFunctions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.SqlFunctions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One database of H2, in memory, and the connection of the system to it. Thread-safe. */
final class Storage implements AutoCloseable {
  private static final String SETTINGS =
      ";MODE=MSSQLServer;DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=FALSE"
          + ";LAZY_QUERY_EXECUTION=1;LOCK_TIMEOUT=10000;TIME ZONE=UTC";

  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + SETTINGS;
  private final Connection system;

  Storage(Catalog catalog) {
    try {
      system = DriverManager.getConnection(url);
      try (java.sql.Statement statement = system.createStatement()) {
        for (String schema : catalog.schemas().keySet()) {
          statement.execute("CREATE SCHEMA IF NOT EXISTS " + Table.quote(schema));
        }
        createFunctions(statement);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to open storage", e);
    }
  }

  private static void createFunctions(java.sql.Statement statement) throws SQLException {
    statement.execute("CREATE SCHEMA \"tsql\"");
    statement.execute("CREATE SEQUENCE \"tsql\".\"rowversions\" START WITH 2001");
    createFunctions(statement, SqlFunctions.class);
    createFunctions(statement, OrderFunctions.class);
  }

  private static void createFunctions(java.sql.Statement statement, Class<?> functions)
      throws SQLException {
    for (Method method : functions.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && !method.getName().equals("encode")) {
        statement.execute(
            "CREATE ALIAS \"tsql\"."
                + Table.quote("x_" + method.getName())
                + " DETERMINISTIC FOR '"
                + functions.getName()
                + "."
                + method.getName()
                + "'");
      }
    }
  }

  /** A connection of its own, in autocommit. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  /** All statements in one transaction, or none. */
  synchronized void update(List<Statement> statements) {
    try {
      system.setAutoCommit(false);
      try {
        runAll(statements);
        system.commit();
      } catch (SQLException e) {
        system.rollback();
        throw e;
      } finally {
        system.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to update storage: " + e.getMessage(), e);
    }
  }

  /** Text that repeats is prepared once: capture writes its rows so. */
  private void runAll(List<Statement> statements) throws SQLException {
    int from = 0;
    while (from < statements.size()) {
      String sql = statements.get(from).sql();
      int to = from;
      try (PreparedStatement prepared = system.prepareStatement(sql)) {
        while (to < statements.size() && statements.get(to).sql().equals(sql)) {
          bind(prepared, statements.get(to).arguments());
          prepared.executeUpdate();
          to++;
        }
      }
      from = to;
    }
  }

  synchronized List<@Nullable Object[]> query(String sql, @Nullable Object... arguments) {
    try (PreparedStatement prepared = system.prepareStatement(sql)) {
      bind(prepared, Arrays.asList(arguments));
      List<@Nullable Object[]> rows = new ArrayList<>();
      try (ResultSet result = prepared.executeQuery()) {
        int width = result.getMetaData().getColumnCount();
        while (result.next()) {
          @Nullable Object[] row = new @Nullable Object[width];
          for (int i = 0; i < width; i++) {
            row[i] = RowReader.read(result, i + 1);
          }
          rows.add(row);
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to query storage: " + e.getMessage(), e);
    }
  }

  static void bind(PreparedStatement statement, List<@Nullable Object> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, values.get(i));
    }
  }

  @Override
  public synchronized void close() {
    try (java.sql.Statement statement = system.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to close storage", e);
    }
  }
}

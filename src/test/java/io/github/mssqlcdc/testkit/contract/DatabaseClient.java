package io.github.mssqlcdc.testkit.contract;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** T-SQL on one database, a connection per call. */
record DatabaseClient(String url, String user, String password) {

  /** A database's name in a JDBC URL: braces guard what would end the value. */
  static String inUrl(String database) {
    return "{" + database.replace("}", "}}") + "}";
  }

  /** {@code CREATE DATABASE}; null: in the server's own collation. */
  static String create(String database, @Nullable String collation) {
    return "CREATE DATABASE "
        + quoted(database)
        + (collation == null ? "" : " COLLATE " + collation);
  }

  /** What drops it, whoever uses it. */
  static String[] drop(String database) {
    return new String[] {
      "ALTER DATABASE " + quoted(database) + " SET SINGLE_USER WITH ROLLBACK IMMEDIATE",
      "DROP DATABASE " + quoted(database)
    };
  }

  static String quoted(String name) {
    return "[" + name.replace("]", "]]") + "]";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  /** Runs each text as a statement batch of its own, in autocommit. */
  void run(String... batches) {
    String current = "";
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String batch : batches) {
        current = batch;
        drain(statement, batch);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to run " + current, e);
    }
  }

  /** All results are asked for: an error may come behind the first. */
  static void drain(Statement statement, String batch) throws SQLException {
    boolean rows = statement.execute(batch);
    while (rows || statement.getUpdateCount() != -1) {
      if (rows) {
        readAll(statement.getResultSet());
      }
      rows = statement.getMoreResults();
    }
  }

  /** An error may come between two rows, too. */
  private static void readAll(ResultSet result) throws SQLException {
    while (result.next()) {
      // nothing to keep
    }
  }

  List<List<Object>> query(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>(width);
        for (int i = 1; i <= width; i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to query " + sql, e);
    }
  }
}

package io.github.mssqlcdc.quickstart;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain JDBC: what the quick start does to the server, and what it judges by. */
final class Jdbc {
  private Jdbc() {}

  static void run(String url, String user, String password, String sql) {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      // an error may come behind the first result
      while (rows || statement.getUpdateCount() != -1) {
        rows = statement.getMoreResults();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to run: " + firstLine(sql), e);
    }
  }

  static void run(OrdersSource source, String sql) {
    run(source.url(), source.user(), source.password(), sql);
  }

  /** The rows of a query, each made by {@code reader}. */
  static <T> List<T> query(OrdersSource source, String sql, RowReader<T> reader) {
    try (Connection connection =
            DriverManager.getConnection(source.url(), source.user(), source.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> result = new ArrayList<>();
      while (rows.next()) {
        result.add(reader.read(rows));
      }
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to query: " + firstLine(sql), e);
    }
  }

  static long number(OrdersSource source, String sql) {
    return query(source, sql, row -> row.getLong(1)).get(0);
  }

  private static String firstLine(String sql) {
    return sql.lines().findFirst().orElse("");
  }

  /** Reads the row that the result stands on. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }
}

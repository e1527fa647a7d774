package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The least that a client of the driver can do: it takes each value by the getter of its type and
 * adds up something of it.
 */
final class BareLoop {
  private final ReplayProcess server;
  private long sum;

  BareLoop(ReplayProcess server) {
    this.server = server;
  }

  /** All rows of each query, a connection for each. */
  Sample run(List<String> queries, long rows) throws Exception {
    List<Meter.Work> parts = new ArrayList<>();
    for (String query : queries) {
      parts.add(() -> read(query));
    }
    return Meter.threads(parts).perCpuSecond(rows);
  }

  private void read(String query) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      Getter[] getters = getters(rows.getMetaData());
      long partSum = 0;
      while (rows.next()) {
        for (int i = 0; i < getters.length; i++) {
          partSum += getters[i].get(rows, i + 1);
        }
      }
      add(partSum);
    }
  }

  private synchronized void add(long partSum) {
    sum += partSum;
  }

  private static Getter[] getters(ResultSetMetaData columns) throws SQLException {
    Getter[] getters = new Getter[columns.getColumnCount()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = Getter.of(columns.getColumnTypeName(i + 1));
    }
    return getters;
  }

  @FunctionalInterface
  private interface Getter {
    long get(ResultSet row, int column) throws SQLException;

    static Getter of(String type) {
      return switch (type) {
        case "bit" -> (row, column) -> row.getBoolean(column) && !row.wasNull() ? 1 : 0;
        case "int" -> (row, column) -> row.getInt(column) + (row.wasNull() ? 1 : 0);
        case "bigint" -> (row, column) -> row.getLong(column) + (row.wasNull() ? 1 : 0);
        case "float" -> (row, column) -> (long) row.getDouble(column) + (row.wasNull() ? 1 : 0);
        case "decimal", "money" ->
            (row, column) -> {
              BigDecimal value = row.getBigDecimal(column);
              return value == null ? 1 : value.scale();
            };
        case "varchar", "nvarchar" ->
            (row, column) -> {
              String value = row.getString(column);
              return value == null ? 1 : value.length();
            };
        case "datetime", "datetime2" ->
            (row, column) -> {
              LocalDateTime value = row.getObject(column, LocalDateTime.class);
              return value == null ? 1 : value.getNano();
            };
        case "date" ->
            (row, column) -> {
              LocalDate value = row.getObject(column, LocalDate.class);
              return value == null ? 1 : value.getYear();
            };
        case "binary", "varbinary", "uniqueidentifier" ->
            (row, column) -> {
              byte[] value = row.getBytes(column);
              return value == null ? 1 : value.length;
            };
        default -> throw new IllegalArgumentException("No getter for " + type);
      };
    }
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement batch under construction: text and the values of its markers travel together. One
 * batch is one round trip.
 *
 * <p>Always sent as a prepared statement, so by {@code sp_executesql}: what a SET statement in it
 * changes ends with it, and never reaches the next borrower of the connection.
 */
final class Batch {
  private final StringBuilder sql = new StringBuilder();
  private final List<Object> values = new ArrayList<>();

  static Batch of(String sql, Object... values) {
    return new Batch().add(sql, values);
  }

  /**
   * Appends a line.
   *
   * @param values of its markers: LSNs, integers, text and bytes
   */
  Batch add(String line, Object... values) {
    sql.append(line).append('\n');
    this.values.addAll(List.of(values));
    return this;
  }

  PreparedStatement prepare(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql.toString());
    for (int i = 0; i < values.size(); i++) {
      bind(statement, i + 1, values.get(i));
    }
    return statement;
  }

  String sql() {
    return sql.toString();
  }

  List<Object> values() {
    return List.copyOf(values);
  }

  private static void bind(PreparedStatement statement, int marker, Object value)
      throws SQLException {
    if (value instanceof Lsn lsn) {
      statement.setBytes(marker, lsn.bytes());
    } else if (value instanceof Integer number) {
      statement.setInt(marker, number);
    } else if (value instanceof Long number) {
      statement.setLong(marker, number);
    } else if (value instanceof byte[] bytes) {
      statement.setBytes(marker, bytes);
    } else if (value instanceof String text) {
      statement.setNString(marker, text);
    } else {
      throw new IllegalArgumentException("No binding for " + value.getClass());
    }
  }
}

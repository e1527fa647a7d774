package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** The result sets of one batch, in order; update counts between them are skipped. */
final class Results {
  private final PreparedStatement statement;
  private boolean started;

  Results(PreparedStatement statement) {
    this.statement = statement;
  }

  /**
   * The next result set; closes the one before.
   *
   * @throws SQLException also if there is none
   */
  ResultSet next() throws SQLException {
    boolean isResultSet = started ? statement.getMoreResults() : statement.execute();
    started = true;
    while (!isResultSet) {
      if (statement.getUpdateCount() < 0) {
        throw new SQLException("The server answered with fewer results than expected");
      }
      isResultSet = statement.getMoreResults();
    }
    return statement.getResultSet();
  }

  /** The next result set, stood on its only row. */
  ResultSet nextRow() throws SQLException {
    ResultSet row = next();
    if (!row.next()) {
      throw new SQLException("The server answered with no row where one was expected");
    }
    return row;
  }

  static @Nullable Lsn lsn(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? null : Lsn.of(bytes);
  }

  /** An LSN, where CDC writes zero for "none to be seen". */
  static @Nullable Lsn lsnOrNone(ResultSet row, int column) throws SQLException {
    Lsn lsn = lsn(row, column);
    return lsn == null || lsn.isZero() ? null : lsn;
  }

  static @Nullable LocalDateTime time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, LocalDateTime.class);
  }

  static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : (Long) number;
  }

  static @Nullable Integer integer(ResultSet row, int column) throws SQLException {
    int number = row.getInt(column);
    return row.wasNull() ? null : (Integer) number;
  }
}

package io.github.mssqlcdc.type;

import java.io.Serializable;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** Hands one column of the row stood on to a sink. Thread-safe. */
@FunctionalInterface
public interface ColumnReader extends Serializable {

  /** What {@link #read} says of a NULL; the sink has got nothing. */
  int ABSENT = -1;

  /**
   * @param column place in the row, from 1
   * @return size of the value in bytes, as Spark holds it; {@link #ABSENT} for NULL
   */
  int read(ResultSet row, int column, ColumnSink sink) throws SQLException;

  /**
   * The reader to use for a column of a result that is here: the same values, read in the fastest
   * way that its type on the wire allows.
   */
  default ColumnReader in(ResultSetMetaData columns, int column) throws SQLException {
    return this;
  }
}

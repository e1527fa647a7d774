package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A range's first cursor, for tests that read it row by row. */
public final class OpenRows implements RowCursor, AutoCloseable {
  private final RangeReader reader;
  private final RowCursor cursor;

  private OpenRows(RangeReader reader, RowCursor cursor) {
    this.reader = reader;
    this.cursor = cursor;
  }

  /** Sends the read, with retries; errors are those of {@link RangeReader#read}. */
  public static OpenRows of(RangeReader reader) {
    return new OpenRows(reader, reader.read(cursor -> cursor));
  }

  @Override
  public boolean next() throws SQLException {
    return cursor.next();
  }

  @Override
  public ResultSet row() {
    return cursor.row();
  }

  @Override
  public void mark() throws SQLException {
    cursor.mark();
  }

  @Override
  public Tail tail() throws SQLException {
    return cursor.tail();
  }

  @Override
  public void close() {
    reader.close();
  }
}

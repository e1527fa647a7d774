package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

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

  /** Reads a row. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The rows, by connections that break behind each of them and before the tail. */
  public static <T> List<T> overBreaks(RangeReader reader, Row<T> row) {
    List<T> rows = new ArrayList<>();
    try (reader) {
      Optional<T> next;
      do {
        AtomicBoolean breaks = new AtomicBoolean(true);
        next =
            reader.read(
                cursor -> {
                  if (breaks.getAndSet(false)) {
                    throw new SQLException("The link broke", "08S01");
                  }
                  return next(cursor, row);
                });
        next.ifPresent(rows::add);
      } while (next.isPresent());
    }
    return rows;
  }

  private static <T> Optional<T> next(RowCursor cursor, Row<T> row) throws SQLException {
    if (!cursor.next()) {
      Tail unused = cursor.tail();
      return Optional.empty();
    }
    T value = row.read(cursor.row());
    cursor.mark();
    return Optional.of(value);
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

package io.github.mssqlcdc.sqlserver;

import java.sql.SQLException;

/**
 * Reads the rows of a range, over as many connections as it takes: a read that breaks for a reason
 * that passes goes on after the last row that was marked, on a new connection and under the same
 * guards. Opens nothing before it is used. Not thread-safe but for {@link #cancel}; close it in any
 * case, also half read: it cancels on the server first.
 */
public interface RangeReader extends AutoCloseable {

  /** Reads some of the rows, from where the cursor stands. */
  @FunctionalInterface
  interface Work<T> {
    T read(RowCursor cursor) throws SQLException;
  }

  /**
   * Runs the work. If the read breaks in it, the work is run again, from its beginning, on the rows
   * after the last mark of the work before; so at its end it has either marked the last row that it
   * keeps, or read the tail.
   *
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN stays below what is asked for
   * @throws io.github.mssqlcdc.error.CdcException if the failure doesn't pass, or what is left
   *     can't be told from what was read
   * @throws java.io.UncheckedIOException if it was cancelled, or the thread was interrupted
   */
  <T> T read(Work<T> work);

  /** Nobody wants the rows any more: a read that waits ends, on a dead link after ten seconds. */
  void cancel();

  /** Gives the connection back; what was abandoned is cancelled on the server first. */
  @Override
  void close();
}

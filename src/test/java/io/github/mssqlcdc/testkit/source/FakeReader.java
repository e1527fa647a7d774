package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.sqlserver.RangeReader;
import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.SQLException;

/** Reads a cursor that never breaks. */
public final class FakeReader implements RangeReader {
  private final RowCursor cursor;

  public FakeReader(RowCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public <T> T read(Work<T> work) {
    try {
      return work.read(cursor);
    } catch (SQLException e) {
      throw new CdcException(ErrorCode.SOURCE_FAILED, "Failed to read: " + e.getMessage(), e);
    }
  }

  @Override
  public void cancel() {}

  @Override
  public void close() {}
}

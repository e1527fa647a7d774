package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.sqlserver.RowCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** A cursor over rows in memory. */
public final class FakeCursor implements RowCursor {
  private final ResultSet rows;
  private final Supplier<Tail> tail;

  /**
   * @param tail asked for after the last row
   */
  public FakeCursor(List<Object[]> rows, Supplier<Tail> tail) {
    this.rows = FakeRows.of(rows);
    this.tail = tail;
  }

  public static FakeCursor of(List<Object[]> rows) {
    return new FakeCursor(rows, () -> new Tail(null, null, null));
  }

  @Override
  public boolean next() throws SQLException {
    return rows.next();
  }

  @Override
  public ResultSet row() {
    return rows;
  }

  @Override
  public Tail tail() {
    return tail.get();
  }

  @Override
  public void mark() {}
}

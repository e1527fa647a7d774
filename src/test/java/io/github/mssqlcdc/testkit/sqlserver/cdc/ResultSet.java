package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one result set. */
final class ResultSet {
  private final ResponseSink out;
  private long rows;

  ResultSet(ResponseSink out, List<Column> columns) {
    this.out = out;
    out.columns(columns);
  }

  void row(@Nullable Object... values) {
    out.row(values);
    rows++;
  }

  void end() {
    out.done(ResponseSink.StatementKind.SELECT, rows);
  }
}

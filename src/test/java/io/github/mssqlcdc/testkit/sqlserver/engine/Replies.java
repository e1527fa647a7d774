package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands results on, and notes what the session wants to know of them. */
final class Replies implements ResponseSink {
  private final ResponseSink out;
  private final WaitStatistics waits;
  private boolean spoken;

  Replies(ResponseSink out, WaitStatistics waits) {
    this.out = out;
    this.waits = waits;
  }

  /** Every response needs an end, that of a batch of no statements too. */
  void end() {
    if (!spoken) {
      out.done(StatementKind.OTHER, -1);
    }
  }

  @Override
  public void columns(List<Column> columns) {
    spoken = true;
    out.columns(columns);
  }

  @Override
  public boolean row(@Nullable Object[] values) {
    long start = System.nanoTime();
    boolean more = out.row(values);
    waits.network(System.nanoTime() - start);
    return more;
  }

  @Override
  public void done(StatementKind kind, long count) {
    spoken = true;
    out.done(kind, count);
  }

  @Override
  public void error(SqlServerError error) {
    spoken = true;
    out.error(error);
  }

  @Override
  public void info(int number, String message) {
    out.info(number, message);
  }

  @Override
  public void databaseChanged(String database) {
    out.databaseChanged(database);
  }

  @Override
  public void transaction(TransactionEvent event, long id) {
    out.transaction(event, id);
  }

  @Override
  public void returnValue(String name, DataType type, @Nullable Object value) {
    out.returnValue(name, type, value);
  }

  @Override
  public void returnStatus(int status) {
    out.returnStatus(status);
  }
}

package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Passes an engine's answer on, with the rows of replayed tables in place of those few that the
 * engine has. Not thread-safe.
 */
final class ReplaySink implements ResponseSink {
  private final ResponseSink out;
  private final ReplayPlan plan;
  private int results;
  private boolean more = true;

  /** Rows sent in place of the current result's; null: its own ones are. */
  private @Nullable Long sent;

  ReplaySink(ResponseSink out, ReplayPlan plan) {
    this.out = out;
    this.plan = plan;
  }

  @Override
  public void columns(List<Column> columns) {
    out.columns(columns);
    ReplayPlan.Rows rows = plan.rows(results++, columns);
    sent = rows == null ? null : rows.send(out);
    more = rows == null || Objects.requireNonNull(sent) == rows.count();
  }

  @Override
  public boolean row(@Nullable Object[] values) {
    return sent == null ? out.row(values) : more;
  }

  @Override
  public void done(StatementKind kind, long count) {
    out.done(kind, sent == null ? count : sent);
    sent = null;
  }

  @Override
  public void error(SqlServerError error) {
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

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a request answers, for tests below the wire. */
final class RecordingSink implements ResponseSink {
  final List<ResultSet> results = new ArrayList<>();
  final List<Long> counts = new ArrayList<>();
  final List<SqlServerError> errors = new ArrayList<>();
  final List<String> messages = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  final List<Object> returned = new ArrayList<>();
  @Nullable Integer status;

  record ResultSet(List<Column> columns, List<List<Object>> rows) {}

  @Override
  public void columns(List<Column> columns) {
    results.add(new ResultSet(columns, new ArrayList<>()));
  }

  @Override
  public boolean row(@Nullable Object[] values) {
    ResultSet result = results.get(results.size() - 1);
    for (int i = 0; i < values.length; i++) {
      Column column = result.columns().get(i);
      Object value = values[i];
      boolean fits =
          value == null ? column.nullable() : column.type().name().valueClass().isInstance(value);
      if (!fits) {
        throw new IllegalStateException("Invalid value " + value + " for " + column);
      }
    }
    result.rows().add(Arrays.asList(values.clone()));
    return true;
  }

  @Override
  public void done(StatementKind kind, long count) {
    counts.add(count);
  }

  @Override
  public void error(SqlServerError error) {
    errors.add(error);
  }

  @Override
  public void info(int number, String message) {
    messages.add(message);
  }

  @Override
  public void databaseChanged(String database) {
    events.add("database " + database);
  }

  @Override
  public void transaction(TransactionEvent event, long id) {
    events.add(event.name());
  }

  @Override
  public void returnValue(String name, DataType type, @Nullable Object value) {
    returned.add(value);
  }

  @Override
  public void returnStatus(int returnCode) {
    status = returnCode;
  }
}

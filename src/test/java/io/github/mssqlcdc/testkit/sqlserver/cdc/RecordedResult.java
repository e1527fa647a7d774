package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a procedure answers. */
final class RecordedResult implements ResponseSink {
  final List<Column> columns = new ArrayList<>();
  final List<@Nullable Object[]> rows = new ArrayList<>();
  final List<Integer> infos = new ArrayList<>();
  long count = -1;

  List<String> columnNames() {
    return columns.stream().map(Column::name).toList();
  }

  /** Value of a column in a row. */
  @Nullable Object value(int row, String column) {
    return rows.get(row)[columnNames().indexOf(column)];
  }

  @Override
  public void columns(List<Column> newColumns) {
    columns.addAll(newColumns);
  }

  @Override
  public boolean row(@Nullable Object[] values) {
    rows.add(values);
    return true;
  }

  @Override
  public void done(StatementKind kind, long newCount) {
    count = newCount;
  }

  @Override
  public void error(SqlServerError error) {
    throw new AssertionError(error);
  }

  @Override
  public void info(int number, String message) {
    infos.add(number);
  }

  @Override
  public void databaseChanged(String database) {}

  @Override
  public void transaction(TransactionEvent event, long id) {}

  @Override
  public void returnValue(String name, DataType type, @Nullable Object value) {}

  @Override
  public void returnStatus(int status) {}
}

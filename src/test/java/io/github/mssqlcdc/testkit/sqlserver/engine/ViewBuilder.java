package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a system view: its columns first, then rows. */
final class ViewBuilder {
  static final DataType TINYINT = DataType.of(SqlTypeName.TINYINT);
  static final DataType SMALLINT = DataType.of(SqlTypeName.SMALLINT);
  static final DataType DESCRIPTION = DataType.of(SqlTypeName.NVARCHAR, 60);
  static final DataType TYPE = DataType.of(SqlTypeName.CHAR, 2);

  private final List<Column> columns = new ArrayList<>();
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  ViewBuilder column(String name, DataType type) {
    columns.add(new Column(name, type, false));
    return this;
  }

  ViewBuilder nullable(String name, DataType type) {
    columns.add(new Column(name, type, true));
    return this;
  }

  ViewBuilder row(@Nullable Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException("Invalid row of " + values.length + " values");
    }
    rows.add(values);
    return this;
  }

  SystemView build() {
    return new SystemView(columns, rows);
  }
}

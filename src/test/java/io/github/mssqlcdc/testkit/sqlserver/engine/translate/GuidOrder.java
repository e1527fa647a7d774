package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** Guids sort by their last six bytes first; H2 sorts them by their text. */
final class GuidOrder {
  private GuidOrder() {}

  /** What H2 has to compare so that values of this type come in SQL Server's order. */
  static String key(DataType type, String sql) {
    return type.name() == SqlTypeName.UNIQUEIDENTIFIER
        ? "\"tsql\".\"x_guidKey\"(" + sql + ")"
        : sql;
  }
}

package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** Types that CDC's own tables and result sets are made of. */
final class Types {
  static final DataType LSN = DataType.of(SqlTypeName.BINARY, 10);
  static final DataType SYSNAME = DataType.of(SqlTypeName.NVARCHAR, 128);
  static final DataType LONG_TEXT = DataType.of(SqlTypeName.NVARCHAR, DataType.MAX);
  static final DataType BIT = DataType.of(SqlTypeName.BIT);
  static final DataType TINYINT = DataType.of(SqlTypeName.TINYINT);
  static final DataType SMALLINT = DataType.of(SqlTypeName.SMALLINT);
  static final DataType INT = DataType.of(SqlTypeName.INT);
  static final DataType BIGINT = DataType.of(SqlTypeName.BIGINT);
  static final DataType DATETIME = DataType.of(SqlTypeName.DATETIME);
  static final DataType GUID = DataType.of(SqlTypeName.UNIQUEIDENTIFIER);

  private Types() {}
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;

/** Ids and sizes of types, as {@code sys.types} and {@code sys.columns} tell them. */
final class SystemTypes {
  static final int SYSNAME = 256;

  private SystemTypes() {}

  static int id(SqlTypeName name) {
    return switch (name) {
      case IMAGE -> 34;
      case TEXT -> 35;
      case UNIQUEIDENTIFIER -> 36;
      case DATE -> 40;
      case TIME -> 41;
      case DATETIME2 -> 42;
      case DATETIMEOFFSET -> 43;
      case TINYINT -> 48;
      case SMALLINT -> 52;
      case INT -> 56;
      case SMALLDATETIME -> 58;
      case REAL -> 59;
      case MONEY -> 60;
      case DATETIME -> 61;
      case FLOAT -> 62;
      case NTEXT -> 99;
      case BIT -> 104;
      case DECIMAL -> 106;
      case NUMERIC -> 108;
      case SMALLMONEY -> 122;
      case BIGINT -> 127;
      case VARBINARY -> 165;
      case VARCHAR -> 167;
      case BINARY -> 173;
      case CHAR -> 175;
      case ROWVERSION -> 189;
      case NVARCHAR -> 231;
      case NCHAR -> 239;
      case XML -> 241;
    };
  }

  static int maxLength(DataType type) {
    return switch (type.name()) {
      case BIT, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, REAL, SMALLMONEY, SMALLDATETIME -> 4;
      case BIGINT, FLOAT, MONEY, DATETIME, ROWVERSION -> 8;
      case DATE -> 3;
      case UNIQUEIDENTIFIER, TEXT, NTEXT, IMAGE -> 16;
      case DECIMAL, NUMERIC ->
          type.precision() <= 9 ? 5 : type.precision() <= 19 ? 9 : type.precision() <= 28 ? 13 : 17;
      case TIME -> timeLength(type.scale());
      case DATETIME2 -> timeLength(type.scale()) + 3;
      case DATETIMEOFFSET -> timeLength(type.scale()) + 5;
      case CHAR, VARCHAR, BINARY, VARBINARY -> type.length();
      case NCHAR, NVARCHAR -> type.length() == DataType.MAX ? DataType.MAX : type.length() * 2;
      case XML -> DataType.MAX;
    };
  }

  private static int timeLength(int scale) {
    return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
  }

  static int precision(DataType type) {
    return switch (type.name()) {
      case BIT -> 1;
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INT, SMALLMONEY, DATE -> 10;
      case BIGINT, MONEY -> 19;
      case REAL -> 24;
      case FLOAT -> 53;
      case DECIMAL, NUMERIC -> type.precision();
      case DATETIME -> 23;
      case SMALLDATETIME -> 16;
      case TIME -> 8 + fraction(type.scale());
      case DATETIME2 -> 19 + fraction(type.scale());
      case DATETIMEOFFSET -> 26 + fraction(type.scale());
      default -> 0;
    };
  }

  private static int fraction(int scale) {
    return scale == 0 ? 0 : scale + 1;
  }

  static int scale(DataType type) {
    return switch (type.name()) {
      case DECIMAL, NUMERIC, TIME, DATETIME2, DATETIMEOFFSET -> type.scale();
      case MONEY, SMALLMONEY -> 4;
      case DATETIME -> 3;
      default -> 0;
    };
  }
}

package io.github.mssqlcdc.testkit.sqlserver.backend;

import org.jspecify.annotations.Nullable;

/**
 * A declared type.
 *
 * @param name base type
 * @param length characters (char, nchar, …) or bytes (binary, …); {@link #MAX} for (max); 0 where
 *     it has no meaning
 * @param precision of decimal and numeric; else 0
 * @param scale of decimal, numeric, time, datetime2, datetimeoffset; else 0
 * @param collation of character types; null: the database's
 */
public record DataType(
    SqlTypeName name, int length, int precision, int scale, @Nullable String collation) {
  public static final int MAX = -1;

  public static DataType of(SqlTypeName name) {
    return new DataType(name, 0, 0, 0, null);
  }

  public static DataType of(SqlTypeName name, int length) {
    return new DataType(name, length, 0, 0, null);
  }

  public static DataType decimal(int precision, int scale) {
    return new DataType(SqlTypeName.DECIMAL, 0, precision, scale, null);
  }
}

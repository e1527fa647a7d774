package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Conversions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import org.jspecify.annotations.Nullable;

/** Values of which only the Java class is known. */
final class Arguments {
  private Arguments() {}

  static @Nullable Object convert(@Nullable Object value, DataType to) throws SqlServerError {
    return value == null ? null : Conversions.convert(value, typeOf(value), to, 0);
  }

  private static DataType typeOf(Object value) {
    if (value instanceof Integer) {
      return Types.INT;
    }
    if (value instanceof Long) {
      return Types.BIGINT;
    }
    if (value instanceof java.math.BigDecimal decimal) {
      return DataType.decimal(38, Math.max(0, decimal.scale()));
    }
    if (value instanceof byte[]) {
      return DataType.of(SqlTypeName.VARBINARY, DataType.MAX);
    }
    for (SqlTypeName name : SqlTypeName.values()) {
      if (name.valueClass().isInstance(value) && name != SqlTypeName.CHAR) {
        return name.valueClass() == String.class ? Types.NVARCHAR_MAX : DataType.of(name);
      }
    }
    throw new IllegalArgumentException("Unsupported value of " + value.getClass());
  }
}

package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code sp_cdc_get_captured_columns} says about a type; null where a fact doesn't apply. The
 * values follow INFORMATION_SCHEMA (inferred).
 */
record TypeFacts(
    String name,
    @Nullable Integer characterLength,
    @Nullable Integer numericPrecision,
    @Nullable Integer numericRadix,
    @Nullable Integer numericScale,
    @Nullable Integer datetimePrecision) {
  private static final int LOB_BYTES = Integer.MAX_VALUE;
  private static final int NTEXT_CHARACTERS = LOB_BYTES / 2;

  static TypeFacts of(DataType type) {
    return switch (type.name()) {
      case TINYINT -> exact(type, 3, 0);
      case SMALLINT -> exact(type, 5, 0);
      case INT -> exact(type, 10, 0);
      case BIGINT -> exact(type, 19, 0);
      case MONEY -> exact(type, 19, 4);
      case SMALLMONEY -> exact(type, 10, 4);
      case DECIMAL, NUMERIC -> exact(type, type.precision(), type.scale());
      case REAL -> approximate(type, 24);
      case FLOAT -> approximate(type, 53);
      case DATE, SMALLDATETIME -> temporal(type, 0);
      case DATETIME -> temporal(type, 3);
      case TIME, DATETIME2, DATETIMEOFFSET -> temporal(type, type.scale());
      case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY -> text(type, type.length());
      case XML -> text(type, DataType.MAX);
      case TEXT, IMAGE -> text(type, LOB_BYTES);
      case NTEXT -> text(type, NTEXT_CHARACTERS);
      case BIT, UNIQUEIDENTIFIER, ROWVERSION ->
          new TypeFacts(sysName(type), null, null, null, null, null);
    };
  }

  private static TypeFacts exact(DataType type, int precision, int scale) {
    return new TypeFacts(sysName(type), null, precision, 10, scale, null);
  }

  private static TypeFacts approximate(DataType type, int precision) {
    return new TypeFacts(sysName(type), null, precision, 2, null, null);
  }

  private static TypeFacts temporal(DataType type, int precision) {
    return new TypeFacts(sysName(type), null, null, null, null, precision);
  }

  private static TypeFacts text(DataType type, int length) {
    return new TypeFacts(sysName(type), length, null, null, null, null);
  }

  /** The name in sys.types, where rowversion is called timestamp. */
  private static String sysName(DataType type) {
    return type.name() == SqlTypeName.ROWVERSION
        ? "timestamp"
        : type.name().name().toLowerCase(Locale.ROOT);
  }
}

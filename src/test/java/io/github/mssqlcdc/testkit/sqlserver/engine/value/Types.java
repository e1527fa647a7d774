package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What T-SQL says of types: families, precedence, results of operations; and H2's name of each. */
public final class Types {
  public static final DataType BIT = DataType.of(SqlTypeName.BIT);
  public static final DataType INT = DataType.of(SqlTypeName.INT);
  public static final DataType BIGINT = DataType.of(SqlTypeName.BIGINT);
  public static final DataType FLOAT = DataType.of(SqlTypeName.FLOAT);
  public static final DataType SYSNAME = DataType.of(SqlTypeName.NVARCHAR, 128);
  public static final DataType NVARCHAR_MAX = DataType.of(SqlTypeName.NVARCHAR, DataType.MAX);
  public static final DataType VARCHAR_MAX = DataType.of(SqlTypeName.VARCHAR, DataType.MAX);
  public static final DataType LSN = DataType.of(SqlTypeName.BINARY, 10);
  public static final DataType DATETIME = DataType.of(SqlTypeName.DATETIME);
  public static final DataType DATETIME2 = new DataType(SqlTypeName.DATETIME2, 0, 0, 7, null);
  public static final DataType DATETIMEOFFSET =
      new DataType(SqlTypeName.DATETIMEOFFSET, 0, 0, 7, null);

  private static final Set<SqlTypeName> CHARACTER =
      EnumSet.of(
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.NCHAR,
          SqlTypeName.NVARCHAR,
          SqlTypeName.TEXT,
          SqlTypeName.NTEXT,
          SqlTypeName.XML);
  private static final Set<SqlTypeName> UNICODE =
      EnumSet.of(SqlTypeName.NCHAR, SqlTypeName.NVARCHAR, SqlTypeName.NTEXT, SqlTypeName.XML);
  private static final Set<SqlTypeName> BINARY =
      EnumSet.of(
          SqlTypeName.BINARY, SqlTypeName.VARBINARY, SqlTypeName.IMAGE, SqlTypeName.ROWVERSION);
  private static final Set<SqlTypeName> INTEGER =
      EnumSet.of(SqlTypeName.TINYINT, SqlTypeName.SMALLINT, SqlTypeName.INT, SqlTypeName.BIGINT);
  private static final Set<SqlTypeName> EXACT =
      EnumSet.of(
          SqlTypeName.DECIMAL, SqlTypeName.NUMERIC, SqlTypeName.MONEY, SqlTypeName.SMALLMONEY);
  private static final Set<SqlTypeName> TEMPORAL =
      EnumSet.of(
          SqlTypeName.DATE,
          SqlTypeName.TIME,
          SqlTypeName.DATETIME,
          SqlTypeName.SMALLDATETIME,
          SqlTypeName.DATETIME2,
          SqlTypeName.DATETIMEOFFSET);

  /** From the lowest to the highest, as in "Data type precedence". */
  private static final List<SqlTypeName> PRECEDENCE =
      List.of(
          SqlTypeName.BINARY,
          SqlTypeName.VARBINARY,
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.NCHAR,
          SqlTypeName.NVARCHAR,
          SqlTypeName.UNIQUEIDENTIFIER,
          SqlTypeName.ROWVERSION,
          SqlTypeName.IMAGE,
          SqlTypeName.TEXT,
          SqlTypeName.NTEXT,
          SqlTypeName.BIT,
          SqlTypeName.TINYINT,
          SqlTypeName.SMALLINT,
          SqlTypeName.INT,
          SqlTypeName.BIGINT,
          SqlTypeName.SMALLMONEY,
          SqlTypeName.MONEY,
          SqlTypeName.NUMERIC,
          SqlTypeName.DECIMAL,
          SqlTypeName.REAL,
          SqlTypeName.FLOAT,
          SqlTypeName.TIME,
          SqlTypeName.DATE,
          SqlTypeName.SMALLDATETIME,
          SqlTypeName.DATETIME,
          SqlTypeName.DATETIME2,
          SqlTypeName.DATETIMEOFFSET,
          SqlTypeName.XML);

  private Types() {}

  public static boolean isCharacter(DataType type) {
    return CHARACTER.contains(type.name());
  }

  public static boolean isUnicode(DataType type) {
    return UNICODE.contains(type.name());
  }

  public static boolean isBinary(DataType type) {
    return BINARY.contains(type.name());
  }

  public static boolean isInteger(DataType type) {
    return INTEGER.contains(type.name());
  }

  /** decimal, numeric and money. */
  public static boolean isExact(DataType type) {
    return EXACT.contains(type.name());
  }

  public static boolean isApproximate(DataType type) {
    return type.name() == SqlTypeName.REAL || type.name() == SqlTypeName.FLOAT;
  }

  public static boolean isNumber(DataType type) {
    return isInteger(type)
        || isExact(type)
        || isApproximate(type)
        || type.name() == SqlTypeName.BIT;
  }

  public static boolean isTemporal(DataType type) {
    return TEMPORAL.contains(type.name());
  }

  public static boolean isFixedText(DataType type) {
    return type.name() == SqlTypeName.CHAR || type.name() == SqlTypeName.NCHAR;
  }

  /** The type of the two that the other is converted to, widened to hold both. */
  public static DataType common(DataType a, DataType b) {
    DataType high = PRECEDENCE.indexOf(a.name()) >= PRECEDENCE.indexOf(b.name()) ? a : b;
    DataType low = high == a ? b : a;
    if ((isCharacter(high) && isCharacter(low)) || (isBinary(high) && isBinary(low))) {
      return collated(
          sized(high, longer(a.length(), b.length())),
          high.collation() == null ? low.collation() : high.collation());
    }
    if (isExact(high) && (isExact(low) || isInteger(low))) {
      return commonDecimal(high, asDecimal(high), asDecimal(low));
    }
    if (high.name() == low.name() && isTemporal(high)) {
      return high.scale() >= low.scale() ? high : low;
    }
    return high;
  }

  private static DataType commonDecimal(DataType high, DataType a, DataType b) {
    if (high.name() == SqlTypeName.MONEY || high.name() == SqlTypeName.SMALLMONEY) {
      return high;
    }
    int scale = Math.max(a.scale(), b.scale());
    int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
    return new DataType(high.name(), 0, Math.min(38, whole + scale), scale, null);
  }

  private static DataType sized(DataType type, int length) {
    return new DataType(type.name(), length, 0, 0, type.collation());
  }

  /** The type in another collation. */
  public static DataType collated(DataType type, @Nullable String collation) {
    return new DataType(type.name(), type.length(), type.precision(), type.scale(), collation);
  }

  private static int longer(int a, int b) {
    return a == DataType.MAX || b == DataType.MAX ? DataType.MAX : Math.max(a, b);
  }

  /** The length of two strings joined. */
  public static DataType concatenated(DataType a, DataType b) {
    boolean unicode = isUnicode(a) || isUnicode(b);
    int limit = unicode ? 4000 : 8000;
    boolean max = a.length() == DataType.MAX || b.length() == DataType.MAX;
    int length = max ? DataType.MAX : Math.min(limit, a.length() + b.length());
    return collated(
        DataType.of(unicode ? SqlTypeName.NVARCHAR : SqlTypeName.VARCHAR, length),
        a.collation() == null ? b.collation() : a.collation());
  }

  /** A number type as the decimal that holds it. */
  public static DataType asDecimal(DataType type) {
    return switch (type.name()) {
      case BIT -> DataType.decimal(1, 0);
      case TINYINT -> DataType.decimal(3, 0);
      case SMALLINT -> DataType.decimal(5, 0);
      case INT -> DataType.decimal(10, 0);
      case BIGINT -> DataType.decimal(19, 0);
      case MONEY -> DataType.decimal(19, 4);
      case SMALLMONEY -> DataType.decimal(10, 4);
      default -> type;
    };
  }

  /** H2's type for it. H2 compares strings by their UTF-16 units; keys do what collations say. */
  public static String h2(DataType type) {
    String length = type.length() > 0 ? "(" + type.length() + ")" : "";
    return switch (type.name()) {
      case BIT -> "BOOLEAN";
      case TINYINT, SMALLINT -> "SMALLINT";
      case INT -> "INTEGER";
      case BIGINT -> "BIGINT";
      case REAL -> "REAL";
      case FLOAT -> "DOUBLE PRECISION";
      case DECIMAL, NUMERIC -> "NUMERIC(" + type.precision() + ", " + type.scale() + ")";
      case MONEY -> "NUMERIC(19, 4)";
      case SMALLMONEY -> "NUMERIC(10, 4)";
      case DATE -> "DATE";
      case TIME -> "TIME(" + type.scale() + ")";
      case DATETIME -> "TIMESTAMP(3)";
      case SMALLDATETIME -> "TIMESTAMP(0)";
      case DATETIME2 -> "TIMESTAMP(" + type.scale() + ")";
      case DATETIMEOFFSET -> "TIMESTAMP(" + type.scale() + ") WITH TIME ZONE";
      case CHAR, VARCHAR, NCHAR, NVARCHAR, TEXT, NTEXT, XML -> "VARCHAR" + length;
      case BINARY -> "BINARY" + length;
      case VARBINARY, IMAGE -> "VARBINARY" + length;
      case ROWVERSION -> "BINARY(8)";
      case UNIQUEIDENTIFIER -> "UUID";
    };
  }

  /** T-SQL's name without length, as in messages and in {@code sys.types}. */
  public static String baseName(DataType type) {
    return type.name() == SqlTypeName.ROWVERSION
        ? "timestamp"
        : type.name().name().toLowerCase(Locale.ROOT);
  }
}

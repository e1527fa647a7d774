package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts a value from one type to another as CAST, CONVERT and assignment do. */
public final class Conversions {
  private Conversions() {}

  /**
   * @param value of the source type's value class; null for NULL
   * @param style CONVERT's third argument, 0 for none
   */
  public static @Nullable Object convert(
      @Nullable Object value, DataType from, DataType to, int style) throws SqlServerError {
    if (value == null) {
      return null;
    }
    return switch (to.name()) {
      case BIT -> bit(value, from);
      case TINYINT, SMALLINT, INT -> integer(value, from, to).intValue();
      case BIGINT -> integer(value, from, to).longValue();
      case REAL -> (float) approximate(value, from, to);
      case FLOAT -> approximate(value, from, to);
      case DECIMAL, NUMERIC, MONEY, SMALLMONEY -> decimal(value, from, to);
      case DATE, TIME, DATETIME, SMALLDATETIME, DATETIME2, DATETIMEOFFSET ->
          Temporals.convert(value, from, to);
      case CHAR, VARCHAR, NCHAR, NVARCHAR, TEXT, NTEXT, XML ->
          Texts.convert(value, from, to, style);
      case BINARY, VARBINARY, IMAGE, ROWVERSION -> Binaries.convert(value, from, to, style);
      case UNIQUEIDENTIFIER -> uuid(value, from);
    };
  }

  private static boolean bit(Object value, DataType from) throws SqlServerError {
    if (value instanceof Boolean bit) {
      return bit;
    }
    if (value instanceof String text && text.strip().equalsIgnoreCase("true")) {
      return true;
    }
    if (value instanceof String text && text.strip().equalsIgnoreCase("false")) {
      return false;
    }
    return number(value, from, Types.BIT).signum() != 0;
  }

  private static BigDecimal integer(Object value, DataType from, DataType to)
      throws SqlServerError {
    if (value instanceof String text && text.strip().contains(".")) {
      throw Errors.conversion(Types.baseName(from), text, Types.baseName(to));
    }
    BigDecimal whole = number(value, from, to).setScale(0, RoundingMode.DOWN);
    long low =
        switch (to.name()) {
          case TINYINT -> 0;
          case SMALLINT -> Short.MIN_VALUE;
          case INT -> Integer.MIN_VALUE;
          default -> Long.MIN_VALUE;
        };
    long high =
        switch (to.name()) {
          case TINYINT -> 255;
          case SMALLINT -> Short.MAX_VALUE;
          case INT -> Integer.MAX_VALUE;
          default -> Long.MAX_VALUE;
        };
    if (whole.compareTo(BigDecimal.valueOf(low)) < 0
        || whole.compareTo(BigDecimal.valueOf(high)) > 0) {
      throw Errors.overflow(Types.baseName(to));
    }
    return whole;
  }

  private static double approximate(Object value, DataType from, DataType to)
      throws SqlServerError {
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    return number(value, from, to).doubleValue();
  }

  private static BigDecimal decimal(Object value, DataType from, DataType to)
      throws SqlServerError {
    DataType shape = Types.asDecimal(to);
    BigDecimal rounded = number(value, from, to).setScale(shape.scale(), RoundingMode.HALF_UP);
    if (rounded.signum() != 0 && rounded.precision() > shape.precision()) {
      throw Errors.overflow(Types.baseName(to));
    }
    return rounded;
  }

  private static BigDecimal number(Object value, DataType from, DataType to) throws SqlServerError {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    }
    if (value instanceof Integer || value instanceof Long) {
      return BigDecimal.valueOf(((Number) value).longValue());
    }
    if (value instanceof Float real) {
      return new BigDecimal(Float.toString(real));
    }
    if (value instanceof Double number) {
      return new BigDecimal(Double.toString(number));
    }
    if (value instanceof Boolean bit) {
      return bit ? BigDecimal.ONE : BigDecimal.ZERO;
    }
    if (value instanceof String text) {
      return parsed(text, from, to);
    }
    if (value instanceof byte[] bytes && Types.isInteger(to)) {
      return new BigDecimal(Binaries.toLong(bytes, to));
    }
    throw Errors.clash(Types.baseName(from), Types.baseName(to));
  }

  private static BigDecimal parsed(String text, DataType from, DataType to) throws SqlServerError {
    String stripped = text.strip();
    if (stripped.isEmpty() && !Types.isExact(to)) {
      return BigDecimal.ZERO;
    }
    try {
      return new BigDecimal(stripped);
    } catch (NumberFormatException e) {
      if (Types.isInteger(to) || to.name() == SqlTypeName.BIT) {
        throw Errors.conversion(Types.baseName(from), text, Types.baseName(to));
      }
      throw Errors.noConversion(Types.baseName(from), Types.baseName(to));
    }
  }

  private static UUID uuid(Object value, DataType from) throws SqlServerError {
    if (value instanceof UUID uuid) {
      return uuid;
    }
    if (value instanceof byte[] bytes) {
      return Binaries.toUuid(bytes);
    }
    if (!(value instanceof String text)) {
      throw Errors.clash(Types.baseName(from), "uniqueidentifier");
    }
    try {
      String stripped = text.strip().replace("{", "").replace("}", "");
      return UUID.fromString(stripped.substring(0, 36));
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      throw new SqlServerError(
          8169,
          16,
          2,
          "Conversion failed when converting from a character string to uniqueidentifier.");
    }
  }
}

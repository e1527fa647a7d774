package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.regex.Pattern;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.ValueToObjectConverter;
import org.jspecify.annotations.Nullable;

/** Functions that H2 lacks, called by it through aliases in the schema {@code tsql}. Stateless. */
public final class SqlFunctions {
  private static final BigInteger LSNS = BigInteger.ONE.shiftLeft(80);

  private SqlFunctions() {}

  /** A type as the conversions take it: {@code NAME:length:precision:scale}. */
  public static String encode(DataType type) {
    return type.name() + ":" + type.length() + ":" + type.precision() + ":" + type.scale();
  }

  private static DataType decode(String text) {
    String[] parts = text.split(":", 4);
    return new DataType(
        SqlTypeName.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        null);
  }

  private static @Nullable Object convert(Value value, String from, String to, int style)
      throws SqlServerError {
    if (value == ValueNull.INSTANCE) {
      return null;
    }
    DataType source = decode(from);
    Object object = ValueToObjectConverter.valueToObject(source.name().valueClass(), value, null);
    boolean lenient = style < 0;
    try {
      return Conversions.convert(object, source, decode(to), lenient ? -style - 1 : style);
    } catch (SqlServerError e) {
      if (lenient) {
        return null;
      }
      throw e;
    }
  }

  public static @Nullable String castText(Value value, String from, String to, int style)
      throws SqlServerError {
    return (String) convert(value, from, to, style);
  }

  public static byte @Nullable [] castBinary(Value value, String from, String to, int style)
      throws SqlServerError {
    return (byte[]) convert(value, from, to, style);
  }

  public static @Nullable Boolean castBit(Value value, String from, String to, int style)
      throws SqlServerError {
    return (Boolean) convert(value, from, to, style);
  }

  public static @Nullable Integer castInteger(Value value, String from, String to, int style)
      throws SqlServerError {
    return (Integer) convert(value, from, to, style);
  }

  public static @Nullable Long castBigint(Value value, String from, String to, int style)
      throws SqlServerError {
    return (Long) convert(value, from, to, style);
  }

  public static @Nullable Double castFloat(Value value, String from, String to, int style)
      throws SqlServerError {
    Number number = (Number) convert(value, from, to, style);
    return number == null ? null : number.doubleValue();
  }

  public static @Nullable BigDecimal castDecimal(Value value, String from, String to, int style)
      throws SqlServerError {
    return (BigDecimal) convert(value, from, to, style);
  }

  public static @Nullable LocalDate castDate(Value value, String from, String to, int style)
      throws SqlServerError {
    return (LocalDate) convert(value, from, to, style);
  }

  public static @Nullable LocalTime castTime(Value value, String from, String to, int style)
      throws SqlServerError {
    return (LocalTime) convert(value, from, to, style);
  }

  public static @Nullable LocalDateTime castDateTime(Value value, String from, String to, int style)
      throws SqlServerError {
    return (LocalDateTime) convert(value, from, to, style);
  }

  public static @Nullable OffsetDateTime castOffset(Value value, String from, String to, int style)
      throws SqlServerError {
    return (OffsetDateTime) convert(value, from, to, style);
  }

  public static @Nullable UUID castUuid(Value value, String from, String to, int style)
      throws SqlServerError {
    return (UUID) convert(value, from, to, style);
  }

  public static @Nullable Integer datePart(String part, @Nullable LocalDateTime value)
      throws SqlServerError {
    return value == null ? null : DateParts.of(part).read(value);
  }

  public static @Nullable LocalDateTime dateAdd(
      String part, @Nullable Long amount, @Nullable LocalDateTime value) throws SqlServerError {
    return value == null || amount == null ? null : DateParts.of(part).add(value, amount);
  }

  public static @Nullable Long dateDiff(
      String part, @Nullable LocalDateTime start, @Nullable LocalDateTime end)
      throws SqlServerError {
    return start == null || end == null ? null : DateParts.of(part).between(start, end);
  }

  public static @Nullable Integer offsetMinutes(@Nullable OffsetDateTime value) {
    return value == null ? null : value.getOffset().getTotalSeconds() / 60;
  }

  public static @Nullable OffsetDateTime withOffset(
      @Nullable LocalDateTime value, @Nullable Integer minutes) {
    return value == null || minutes == null
        ? null
        : value.atOffset(ZoneOffset.ofTotalSeconds(minutes * 60));
  }

  /** SQL Server cuts a quotient off where H2 rounds it. */
  public static @Nullable BigDecimal divide(
      @Nullable BigDecimal dividend, @Nullable BigDecimal divisor, int scale)
      throws SqlServerError {
    if (dividend == null || divisor == null) {
      return null;
    }
    if (divisor.signum() == 0) {
      throw new SqlServerError(8134, 16, 1, "Divide by zero error encountered.");
    }
    return dividend.divide(divisor, scale, RoundingMode.DOWN);
  }

  /** The value filled with blanks up to the length, never cut. */
  public static @Nullable String pad(@Nullable String value, int length) {
    return value == null || value.length() >= length
        ? value
        : value + " ".repeat(length - value.length());
  }

  /** LIKE with T-SQL's character classes. */
  public static @Nullable Boolean like(
      @Nullable String value,
      @Nullable String pattern,
      @Nullable String escape,
      boolean ignoresCase) {
    if (value == null || pattern == null) {
      return null;
    }
    String regex = LikePatterns.regex(pattern, escape);
    int flags = ignoresCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
    return Pattern.compile(regex, flags | Pattern.DOTALL).matcher(value).matches();
  }

  /** An LSN so many steps further on, as an unsigned number of ten bytes. */
  public static byte @Nullable [] lsnAdd(byte @Nullable [] lsn, int steps) {
    if (lsn == null) {
      return null;
    }
    BigInteger neighbour = new BigInteger(1, lsn).add(BigInteger.valueOf(steps));
    byte[] sum = neighbour.mod(LSNS).toByteArray();
    byte[] bytes = new byte[10];
    int count = Math.min(10, sum.length);
    System.arraycopy(sum, sum.length - count, bytes, 10 - count, count);
    return bytes;
  }

  /** Whether bit n (from 1) of an update mask is set; the first bits stand in the last byte. */
  public static @Nullable Boolean isBitSet(@Nullable Integer position, byte @Nullable [] mask) {
    if (position == null || mask == null) {
      return null;
    }
    int index = mask.length - 1 - (position - 1) / 8;
    return index >= 0 && position > 0 && (mask[index] >> (position - 1) % 8 & 1) == 1;
  }

  public static @Nullable Integer dataLength(byte @Nullable [] value) {
    return value == null ? null : value.length;
  }

  /** {@code NULL} if the name is longer than a sysname. */
  public static @Nullable String quoteName(@Nullable String name, @Nullable String quote) {
    if (name == null || quote == null || name.length() > 128) {
      return null;
    }
    return switch (quote) {
      case "[", "]" -> "[" + name.replace("]", "]]") + "]";
      case "'" -> "'" + name.replace("'", "''") + "'";
      case "\"" -> "\"" + name.replace("\"", "\"\"") + "\"";
      default -> null;
    };
  }
}

package io.github.mssqlcdc.keyrange;

import io.github.mssqlcdc.type.SqlType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The text of a key value: read by its column's type on any server, whatever its language, and
 * exact. What the type would round or cut off is refused, so that a bound stays where it was put.
 */
final class KeyText {
  private static final Map<String, BigInteger> LARGEST =
      Map.of(
          "tinyint", BigInteger.valueOf(255),
          "smallint", BigInteger.valueOf(Short.MAX_VALUE),
          "int", BigInteger.valueOf(Integer.MAX_VALUE),
          "bigint", BigInteger.valueOf(Long.MAX_VALUE));
  private static final Pattern GUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final Pattern HEX = Pattern.compile("0[xX](\\p{XDigit}{2})*");
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?");

  private static final int LAST_YEAR = 9999;

  private KeyText() {}

  /** Whether values of the type stand in JSON as bare numbers. */
  static boolean isInteger(SqlType type) {
    return LARGEST.containsKey(type.name());
  }

  /**
   * The text as it is bound.
   *
   * @throws IllegalArgumentException or {@link java.time.DateTimeException} if it is no value of
   *     the type
   */
  static String of(SqlType type, String text) {
    return switch (type.name()) {
      case "tinyint", "smallint", "int", "bigint" -> integer(type, text);
      case "bit" -> bit(text);
      case "decimal", "numeric" -> decimal(text, type.precision(), type.scale());
      case "money" -> decimal(text, 19, 4);
      case "smallmoney" -> decimal(text, 10, 4);
      case "float", "real" -> checked(text, NUMBER.matcher(text).matches());
      case "date" -> date(text);
      case "datetime" -> format("uuuu-MM-dd'T'HH:mm:ss", 3, dateTime(text, 3));
      case "smalldatetime" -> format("uuuu-MM-dd'T'HH:mm:ss", 0, dateTime(text, 0));
      case "datetime2" ->
          format("uuuu-MM-dd'T'HH:mm:ss", type.scale(), dateTime(text, type.scale()));
      case "time" -> format("HH:mm:ss", type.scale(), time(text, type.scale()));
      case "datetimeoffset" -> dateTimeOffset(text, type.scale());
      case "uniqueidentifier" ->
          checked(text, GUID.matcher(text).matches()).toUpperCase(Locale.ROOT);
      case "binary", "varbinary" -> binary(text, type.length());
      case "rowversion" -> binary(text, Long.BYTES);
      case "char", "varchar", "nchar", "nvarchar" ->
          checked(text, type.length() <= 0 || text.length() <= type.length());
      default -> throw new IllegalArgumentException(type.name());
    };
  }

  /** What a value of the type looks like. */
  static String expected(SqlType type) {
    return switch (type.name()) {
      case "tinyint", "smallint", "int", "bigint" -> "an integer of type " + type.name();
      case "bit" -> "0 or 1";
      case "decimal", "numeric" ->
          "a number of type decimal(" + type.precision() + ", " + type.scale() + ")";
      case "money", "smallmoney" -> "a number of type " + type.name();
      case "float", "real" -> "a number";
      case "date" -> "a date such as 2026-09-30";
      case "datetime", "smalldatetime", "datetime2" ->
          "a time of type " + fraction(type) + " such as 2026-09-30T02:00:00";
      case "time" -> "a time of type " + fraction(type) + " such as 02:00:00";
      case "datetimeoffset" ->
          "a time of type " + fraction(type) + " such as 2026-09-30T02:00:00+02:00";
      case "uniqueidentifier" -> "a guid such as 6F9619FF-8B86-D011-B42D-00C04FC964FF";
      case "binary", "varbinary", "rowversion" -> "bytes such as 0x01AF, in its length";
      case "char", "varchar", "nchar", "nvarchar" ->
          "a text of at most " + type.length() + " characters";
      default -> "a column of another type: " + type.name() + " can't be compared";
    };
  }

  private static String fraction(SqlType type) {
    boolean isFixed = type.name().equals("datetime") || type.name().equals("smalldatetime");
    return isFixed ? type.name() : type.name() + "(" + type.scale() + ")";
  }

  private static String integer(SqlType type, String text) {
    BigInteger number = new BigInteger(text.strip());
    BigInteger largest = LARGEST.getOrDefault(type.name(), BigInteger.ZERO);
    boolean isUnsigned = type.name().equals("tinyint");
    BigInteger smallest = isUnsigned ? BigInteger.ZERO : largest.not();
    return checked(
        number.toString(), number.compareTo(smallest) >= 0 && number.compareTo(largest) <= 0);
  }

  private static String bit(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "0", "false" -> "0";
      case "1", "true" -> "1";
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static String decimal(String text, int precision, int scale) {
    checked(text, NUMBER.matcher(text.strip()).matches());
    BigDecimal number = new BigDecimal(text.strip());
    BigDecimal plain = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    boolean fits = plain.scale() <= scale && plain.precision() - plain.scale() <= precision - scale;
    return checked(plain.toPlainString(), fits);
  }

  private static String date(String text) {
    LocalDate value = LocalDate.parse(text);
    return checked(value.toString(), value.getYear() >= 1 && value.getYear() <= LAST_YEAR);
  }

  private static LocalDateTime dateTime(String text, int digits) {
    String iso = text.strip().replace(' ', 'T');
    LocalDateTime value =
        iso.contains("T") ? LocalDateTime.parse(iso) : LocalDate.parse(iso).atStartOfDay();
    checked(text, fits(value.getNano(), digits));
    return value;
  }

  private static LocalTime time(String text, int digits) {
    LocalTime value = LocalTime.parse(text.strip());
    checked(text, fits(value.getNano(), digits));
    return value;
  }

  private static String dateTimeOffset(String text, int digits) {
    OffsetDateTime value =
        OffsetDateTime.parse(text.strip().replaceFirst(" ", "T").replace(" ", ""));
    checked(text, fits(value.getNano(), digits));
    return format("uuuu-MM-dd'T'HH:mm:ss", digits, value)
        + DateTimeFormatter.ofPattern("xxx", Locale.ROOT).format(value);
  }

  private static boolean fits(int nanos, int digits) {
    return nanos % (int) Math.pow(10, 9 - digits) == 0;
  }

  private static String format(
      String pattern, int digits, java.time.temporal.TemporalAccessor value) {
    String all = digits == 0 ? pattern : pattern + "." + "S".repeat(digits);
    return DateTimeFormatter.ofPattern(all, Locale.ROOT).format(value);
  }

  private static String binary(String text, int length) {
    boolean fits = length <= 0 || (text.length() - 2) / 2 <= length;
    return "0x"
        + checked(text, HEX.matcher(text).matches() && fits).substring(2).toUpperCase(Locale.ROOT);
  }

  private static String checked(String text, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }
}

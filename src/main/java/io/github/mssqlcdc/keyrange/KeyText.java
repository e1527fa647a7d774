package io.github.mssqlcdc.keyrange;

import io.github.mssqlcdc.type.SqlType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The text of a key value: read by its column's type on any server, whatever its language, and
 * exact. What the type would round or cut off is refused, so that a bound stays where it was put.
 */
final class KeyText {
  private static final Pattern GUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final Pattern HEX = Pattern.compile("0[xX](\\p{XDigit}{2})*");

  private KeyText() {}

  /** Whether values of the type stand in JSON as bare numbers. */
  static boolean isInteger(SqlType type) {
    return KeyNumber.isInteger(type);
  }

  /**
   * The text as it is bound.
   *
   * @throws IllegalArgumentException or {@link java.time.DateTimeException} if it is no value of
   *     the type
   */
  static String of(SqlType type, String text) {
    return switch (type.name()) {
      case "tinyint", "smallint", "int", "bigint" -> KeyNumber.integer(type, text);
      case "bit" -> bit(text);
      case "decimal", "numeric" -> KeyNumber.decimal(type, text);
      case "money", "smallmoney" -> KeyNumber.money(type, text);
      case "real" -> KeyNumber.real(text);
      case "float" -> KeyNumber.doublePrecision(text);
      case "date" -> KeyTime.date(text);
      case "datetime" -> KeyTime.datetime(text);
      case "smalldatetime" -> KeyTime.smallDatetime(text);
      case "datetime2" -> KeyTime.dateTime2(type, text);
      case "time" -> KeyTime.time(type, text);
      case "datetimeoffset" -> KeyTime.dateTimeOffset(type, text);
      case "uniqueidentifier" ->
          checked(text, GUID.matcher(text).matches()).toUpperCase(Locale.ROOT);
      case "binary", "varbinary" -> binary(text, type.length());
      case "rowversion" -> binary(text, Long.BYTES);
      case "char", "varchar", "nchar", "nvarchar" ->
          checked(text, type.length() <= 0 || text.length() <= type.length());
      default -> throw new IllegalArgumentException(type.name());
    };
  }

  /**
   * Whether a text is one that the column holds character by character. Keys that come from the
   * server are.
   */
  static boolean isHeld(KeyColumn column, String text) {
    return switch (column.type().name()) {
      case "char", "varchar" ->
          KeyCharacters.hold(column.collation(), column.type().length(), text);
      // an unpaired surrogate doesn't get through the driver
      case "nchar", "nvarchar" -> StandardCharsets.UTF_16LE.newEncoder().canEncode(text);
      default -> true;
    };
  }

  /** What a value of the column looks like. */
  static String expected(KeyColumn column) {
    SqlType type = column.type();
    return switch (type.name()) {
      case "tinyint" -> "an integer from 0 to 255";
      case "smallint", "int", "bigint" -> "an integer of type " + type.name();
      case "bit" -> "0 or 1";
      case "decimal", "numeric" ->
          "a number of type decimal(" + type.precision() + ", " + type.scale() + ")";
      case "money" -> "an amount up to 922337203685477.5807, with at most four decimals";
      case "smallmoney" -> "an amount up to 214748.3647, with at most four decimals";
      case "real" -> "a number that a real has, such as 1.25 or 1e30, of up to seven digits";
      case "float" -> "a number that a float has, such as 1.25 or 1e300, of up to 15 digits";
      case "date" -> "a date such as 2026-09-30, of the years 0001 to 9999";
      case "datetime" ->
          "a time such as 2026-09-30T02:00:00.003, of the years 1753 to 9999, whose milliseconds"
              + " end with 0, 3 or 7";
      case "smalldatetime" ->
          "a time in whole minutes such as 2026-09-30T02:00, from 1900-01-01 to 2079-06-06";
      case "datetime2" ->
          "a time such as 2026-09-30T02:00:00, of the years 0001 to 9999" + digits(type);
      case "time" -> "a time of day such as 02:00:00" + digits(type);
      case "datetimeoffset" ->
          "a time such as 2026-09-30T02:00:00+02:00, of the years 0001 to 9999 in UTC, too, with an"
              + " offset in minutes up to 14:00"
              + digits(type);
      case "uniqueidentifier" -> "a guid such as 6F9619FF-8B86-D011-B42D-00C04FC964FF";
      case "binary", "varbinary", "rowversion" -> "bytes such as 0x01AF, in its length";
      case "char", "varchar" ->
          "a text of at most "
              + type.length()
              + " bytes, of characters of its collation "
              + column.collation();
      case "nchar", "nvarchar" -> "a text of at most " + type.length() + " characters";
      default -> "a column of another type: " + type.name() + " can't be compared";
    };
  }

  private static String digits(SqlType type) {
    return ", with at most " + type.scale() + " digits after the seconds";
  }

  private static String bit(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "0", "false" -> "0";
      case "1", "true" -> "1";
      default -> throw new IllegalArgumentException(text);
    };
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

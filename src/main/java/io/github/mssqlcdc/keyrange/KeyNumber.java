package io.github.mssqlcdc.keyrange;

import io.github.mssqlcdc.type.SqlType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Map;
import java.util.regex.Pattern;

/** Numbers of a key, each checked before it is written out: 1e999999999 is a short text. */
final class KeyNumber {
  private static final Map<String, BigInteger> LARGEST =
      Map.of(
          "tinyint", BigInteger.valueOf(255),
          "smallint", BigInteger.valueOf(Short.MAX_VALUE),
          "int", BigInteger.valueOf(Integer.MAX_VALUE),
          "bigint", BigInteger.valueOf(Long.MAX_VALUE));

  /** The largest amounts, in ten-thousandths; the smallest is one less. */
  private static final Map<String, BigInteger> LARGEST_AMOUNT =
      Map.of(
          "money", BigInteger.valueOf(Long.MAX_VALUE),
          "smallmoney", BigInteger.valueOf(Integer.MAX_VALUE));

  /** The longest double in full has 309 digits before its point. */
  private static final int MAX_LENGTH = 400;

  private static final int MAX_INTEGER_DIGITS = 19;
  private static final int MONEY_DIGITS = 19;
  private static final int MONEY_SCALE = 4;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?0{0,9}\\d{1,3})?");

  private KeyNumber() {}

  static boolean isInteger(SqlType type) {
    return LARGEST.containsKey(type.name());
  }

  static String integer(SqlType type, String text) {
    BigInteger number = unscaled(number(text), MAX_INTEGER_DIGITS, 0);
    BigInteger largest = LARGEST.getOrDefault(type.name(), BigInteger.ZERO);
    BigInteger smallest = type.name().equals("tinyint") ? BigInteger.ZERO : largest.not();
    return checked(number.toString(), isBetween(smallest, number, largest));
  }

  /** As a bound: the value after the type's largest one, too, which lies behind all keys. */
  static String integerBound(SqlType type, String text) {
    return isPastEnd(type, text) ? end(type).toString() : integer(type, text);
  }

  /** Whether a text is the value after the largest one of an integer type. */
  static boolean isPastEnd(SqlType type, String text) {
    return isInteger(type) && end(type).toString().equals(text);
  }

  /** The smallest value of an integer type. */
  static String smallest(SqlType type) {
    return type.name().equals("tinyint") ? "0" : end(type).negate().toString();
  }

  private static BigInteger end(SqlType type) {
    return LARGEST.getOrDefault(type.name(), BigInteger.ZERO).add(BigInteger.ONE);
  }

  static String decimal(SqlType type, String text) {
    BigDecimal number = number(text);
    unscaled(number, type.precision(), type.scale());
    return number.toPlainString();
  }

  static String money(SqlType type, String text) {
    BigDecimal number = number(text);
    BigInteger amount = unscaled(number, MONEY_DIGITS, MONEY_SCALE);
    BigInteger largest = LARGEST_AMOUNT.getOrDefault(type.name(), BigInteger.ZERO);
    return checked(number.toPlainString(), isBetween(largest.not(), amount, largest));
  }

  static String real(String text) {
    float value = Float.parseFloat(text);
    boolean isAllowed =
        value == 0 || (Float.isFinite(value) && Math.abs(value) >= Float.MIN_NORMAL);
    return floating(text, isAllowed ? value : Double.NaN);
  }

  static String doublePrecision(String text) {
    double value = Double.parseDouble(text);
    boolean isAllowed = value == 0 || Math.abs(value) >= Double.MIN_NORMAL;
    return floating(text, isAllowed ? value : Double.NaN);
  }

  /** The value that the type has for a text is the text's, as far as its digits go. */
  private static String floating(String text, double value) {
    BigDecimal number = number(text);
    checked(text, Double.isFinite(value));
    BigDecimal shown = new BigDecimal(value).round(new MathContext(number.precision()));
    return checked(text, shown.compareTo(number) == 0);
  }

  private static BigDecimal number(String text) {
    String stripped = text.strip();
    checked(text, stripped.length() <= MAX_LENGTH && NUMBER.matcher(stripped).matches());
    BigDecimal number = new BigDecimal(stripped);
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  /** The number without its point. */
  private static BigInteger unscaled(BigDecimal number, int precision, int scale) {
    boolean fits =
        number.scale() <= scale && number.precision() - number.scale() <= precision - scale;
    checked(number.toString(), fits);
    return number.setScale(scale).unscaledValue();
  }

  private static boolean isBetween(BigInteger smallest, BigInteger number, BigInteger largest) {
    return number.compareTo(smallest) >= 0 && number.compareTo(largest) <= 0;
  }

  private static String checked(String text, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }
}

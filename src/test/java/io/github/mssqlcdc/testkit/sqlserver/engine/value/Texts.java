package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.UUID;

/** Conversions to character types. */
final class Texts {
  private Texts() {}

  static String convert(Object value, DataType from, DataType to, int style) throws SqlServerError {
    return fit(text(value, from, to, style), to);
  }

  private static String fit(String text, DataType to) {
    String cut =
        to.length() > 0 && text.length() > to.length() ? text.substring(0, to.length()) : text;
    return Types.isFixedText(to) ? cut + " ".repeat(to.length() - cut.length()) : cut;
  }

  private static String text(Object value, DataType from, DataType to, int style)
      throws SqlServerError {
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof Boolean bit) {
      return bit ? "1" : "0";
    }
    if (value instanceof UUID uuid) {
      return uuid.toString().toUpperCase(Locale.ROOT);
    }
    if (value instanceof byte[] bytes) {
      return Binaries.text(bytes, to, style);
    }
    if (value instanceof Double || value instanceof Float) {
      return approximate(((Number) value).doubleValue());
    }
    if (value instanceof BigDecimal decimal) {
      return isMoney(from)
          ? decimal.setScale(2, RoundingMode.HALF_UP).toPlainString()
          : decimal.toPlainString();
    }
    if (value instanceof Number number) {
      return number.toString();
    }
    return TemporalTexts.format(value, from, style);
  }

  private static boolean isMoney(DataType type) {
    return type.name() == SqlTypeName.MONEY || type.name() == SqlTypeName.SMALLMONEY;
  }

  /** Six digits, as style 0 does. */
  private static String approximate(double value) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -5 && exponent < 15) {
      return rounded.toPlainString();
    }
    BigDecimal mantissa = rounded.movePointLeft(exponent);
    return String.format(
        Locale.ROOT,
        "%se%s%03d",
        mantissa.toPlainString(),
        exponent < 0 ? "-" : "+",
        Math.abs(exponent));
  }
}

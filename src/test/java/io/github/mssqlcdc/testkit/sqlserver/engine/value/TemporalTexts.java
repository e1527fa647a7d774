package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates and times as text, by CONVERT's styles; a style not listed here is error 281. */
final class TemporalTexts {
  private TemporalTexts() {}

  static String format(Object value, DataType from, int style) throws SqlServerError {
    int digits =
        switch (from.name()) {
          case DATETIME -> 3;
          case SMALLDATETIME, DATE -> 0;
          default -> from.scale();
        };
    if (value instanceof LocalDate date) {
      return style == 0 ? date.toString() : dateTime(date.atStartOfDay(), 0, style, true);
    }
    if (value instanceof LocalTime time) {
      return pattern("HH:mm:ss", style == 108 ? 0 : digits).format(time);
    }
    if (value instanceof OffsetDateTime moment) {
      String text = pattern("yyyy-MM-dd HH:mm:ss", digits).format(moment);
      return text + " " + offset(moment.getOffset());
    }
    if (!(value instanceof LocalDateTime local)) {
      throw Errors.clash(Types.baseName(from), "varchar");
    }
    int effective = style == 0 && !isOld(from) ? 121 : style;
    return dateTime(local, digits, effective, isOld(from));
  }

  private static boolean isOld(DataType from) {
    return switch (from.name()) {
      case DATETIME, SMALLDATETIME -> true;
      default -> false;
    };
  }

  private static String offset(ZoneOffset offset) {
    return offset.getTotalSeconds() == 0 ? "+00:00" : offset.getId();
  }

  private static String dateTime(LocalDateTime value, int digits, int style, boolean old)
      throws SqlServerError {
    return switch (style) {
      case 0, 100 -> text("MMM ppd yyyy pph:mma", value);
      case 20, 120 -> text("yyyy-MM-dd HH:mm:ss", value);
      case 21, 25, 121 -> pattern("yyyy-MM-dd HH:mm:ss", old ? 3 : digits).format(value);
      case 126 -> pattern("yyyy-MM-dd'T'HH:mm:ss", digits).format(value);
      case 23 -> text("yyyy-MM-dd", value);
      case 112 -> text("yyyyMMdd", value);
      case 8, 108 -> text("HH:mm:ss", value);
      default ->
          throw new SqlServerError(
              281,
              16,
              1,
              style
                  + " is not a valid style number when converting from datetime to a character"
                  + " string.");
    };
  }

  private static String text(String pattern, LocalDateTime value) {
    return DateTimeFormatter.ofPattern(pattern, Locale.US).format(value);
  }

  private static DateTimeFormatter pattern(String base, int digits) {
    return DateTimeFormatter.ofPattern(
        digits == 0 ? base : base + "." + "S".repeat(digits), Locale.US);
  }
}

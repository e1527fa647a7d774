package io.github.mssqlcdc.witness;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Values as text that both sides can be brought to: the seventh digit of a time is cut off. */
final class Values {
  static final String NULL = "NULL";

  /** An image that doesn't carry the value. */
  static final String UNKNOWN = "?";

  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS", Locale.ROOT);

  private Values() {}

  static String dateTime(LocalDateTime value) {
    return DATE_TIME.format(value.truncatedTo(ChronoUnit.MICROS));
  }

  static String time(LocalTime value) {
    return TIME.format(value);
  }

  static String instant(Instant value) {
    return value.truncatedTo(ChronoUnit.MICROS).toString();
  }
}

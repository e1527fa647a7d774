package io.github.mssqlcdc.keyrange;

import io.github.mssqlcdc.type.SqlType;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Dates and times of a key. */
final class KeyTime {
  private static final String DATE_TIME = "uuuu-MM-dd'T'HH:mm:ss";
  private static final int NANOS_OF_MILLI = 1_000_000;
  private static final int MAX_OFFSET_SECONDS = 14 * 3600;
  private static final LocalDateTime FIRST = LocalDateTime.of(1, 1, 1, 0, 0);
  private static final LocalDateTime END = LocalDateTime.of(10_000, 1, 1, 0, 0);
  private static final LocalDateTime FIRST_DATETIME = LocalDateTime.of(1753, 1, 1, 0, 0);
  private static final LocalDateTime FIRST_SMALL = LocalDateTime.of(1900, 1, 1, 0, 0);
  private static final LocalDateTime END_SMALL = LocalDateTime.of(2079, 6, 7, 0, 0);

  private KeyTime() {}

  static String date(String text) {
    LocalDate value = LocalDate.parse(text.strip());
    requireBetween(FIRST, value.atStartOfDay(), END);
    return value.toString();
  }

  /** Of the scale 0 to 7. */
  static String dateTime2(SqlType type, String text) {
    LocalDateTime value = dateTime(text);
    requireBetween(FIRST, value, END);
    return format(DATE_TIME, type.scale(), value, value.getNano());
  }

  /** Its steps are 1/300 s, which end with .000, .003 and .007. */
  static String datetime(String text) {
    LocalDateTime value = dateTime(text);
    requireBetween(FIRST_DATETIME, value, END);
    int digit = value.getNano() / NANOS_OF_MILLI % 10;
    require(text, digit == 0 || digit == 3 || digit == 7);
    return format(DATE_TIME, 3, value, value.getNano());
  }

  static String smallDatetime(String text) {
    LocalDateTime value = dateTime(text);
    requireBetween(FIRST_SMALL, value, END_SMALL);
    require(text, value.equals(value.truncatedTo(ChronoUnit.MINUTES)));
    return format(DATE_TIME, 0, value, 0);
  }

  static String time(SqlType type, String text) {
    LocalTime value = LocalTime.parse(text.strip());
    return format("HH:mm:ss", type.scale(), value, value.getNano());
  }

  /** The instant has to be in range, and the local time, too. */
  static String dateTimeOffset(SqlType type, String text) {
    OffsetDateTime value =
        OffsetDateTime.parse(text.strip().replaceFirst(" ", "T").replace(" ", ""));
    requireBetween(FIRST, value.toLocalDateTime(), END);
    requireBetween(FIRST, value.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), END);
    int offset = value.getOffset().getTotalSeconds();
    require(text, offset % 60 == 0 && Math.abs(offset) <= MAX_OFFSET_SECONDS);
    return format(DATE_TIME, type.scale(), value, value.getNano())
        + DateTimeFormatter.ofPattern("xxx", Locale.ROOT).format(value);
  }

  private static LocalDateTime dateTime(String text) {
    String iso = text.strip().replace(' ', 'T');
    return iso.contains("T") ? LocalDateTime.parse(iso) : LocalDate.parse(iso).atStartOfDay();
  }

  private static void requireBetween(LocalDateTime first, LocalDateTime value, LocalDateTime end) {
    require(value.toString(), !value.isBefore(first) && value.isBefore(end));
  }

  private static String format(String pattern, int digits, TemporalAccessor value, int nanos) {
    require(value.toString(), nanos % (int) Math.pow(10, 9 - digits) == 0);
    String all = digits == 0 ? pattern : pattern + "." + "S".repeat(digits);
    return DateTimeFormatter.ofPattern(all, Locale.ROOT).format(value);
  }

  private static void require(String text, boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException(text);
    }
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.Map;

/** The date parts of DATEPART, DATEADD and DATEDIFF. */
public enum DateParts {
  YEAR(ChronoUnit.YEARS),
  QUARTER(IsoFields.QUARTER_YEARS),
  MONTH(ChronoUnit.MONTHS),
  DAYOFYEAR(ChronoUnit.DAYS),
  DAY(ChronoUnit.DAYS),
  WEEK(ChronoUnit.WEEKS),
  WEEKDAY(ChronoUnit.DAYS),
  HOUR(ChronoUnit.HOURS),
  MINUTE(ChronoUnit.MINUTES),
  SECOND(ChronoUnit.SECONDS),
  MILLISECOND(ChronoUnit.MILLIS),
  MICROSECOND(ChronoUnit.MICROS),
  NANOSECOND(ChronoUnit.NANOS);

  private static final Map<String, DateParts> SHORT =
      Map.ofEntries(
          Map.entry("YY", YEAR),
          Map.entry("YYYY", YEAR),
          Map.entry("QQ", QUARTER),
          Map.entry("Q", QUARTER),
          Map.entry("MM", MONTH),
          Map.entry("M", MONTH),
          Map.entry("DY", DAYOFYEAR),
          Map.entry("Y", DAYOFYEAR),
          Map.entry("DD", DAY),
          Map.entry("D", DAY),
          Map.entry("WK", WEEK),
          Map.entry("WW", WEEK),
          Map.entry("DW", WEEKDAY),
          Map.entry("HH", HOUR),
          Map.entry("MI", MINUTE),
          Map.entry("N", MINUTE),
          Map.entry("SS", SECOND),
          Map.entry("S", SECOND),
          Map.entry("MS", MILLISECOND),
          Map.entry("MCS", MICROSECOND),
          Map.entry("NS", NANOSECOND));

  private final java.time.temporal.TemporalUnit unit;

  DateParts(java.time.temporal.TemporalUnit unit) {
    this.unit = unit;
  }

  public static DateParts of(String word) throws SqlServerError {
    String upper = word.toUpperCase(Locale.ROOT);
    DateParts part = SHORT.get(upper);
    if (part != null) {
      return part;
    }
    try {
      return valueOf(upper);
    } catch (IllegalArgumentException e) {
      throw new SqlServerError(155, 15, 1, "'" + word + "' is not a recognized datepart option.");
    }
  }

  int read(LocalDateTime value) {
    return switch (this) {
      case YEAR -> value.getYear();
      case QUARTER -> value.get(IsoFields.QUARTER_OF_YEAR);
      case MONTH -> value.getMonthValue();
      case DAYOFYEAR -> value.getDayOfYear();
      case DAY -> value.getDayOfMonth();
      case WEEK -> week(value);
      case WEEKDAY -> value.getDayOfWeek().getValue() % 7 + 1;
      case HOUR -> value.getHour();
      case MINUTE -> value.getMinute();
      case SECOND -> value.getSecond();
      case MILLISECOND -> value.getNano() / 1_000_000;
      case MICROSECOND -> value.getNano() / 1_000;
      case NANOSECOND -> value.getNano();
    };
  }

  /** Weeks begin on Sunday (DATEFIRST 7), the first on January 1. */
  private static int week(LocalDateTime value) {
    int firstWeekday = value.withDayOfYear(1).getDayOfWeek().getValue() % 7;
    return (value.getDayOfYear() - 1 + firstWeekday) / 7 + 1;
  }

  LocalDateTime add(LocalDateTime value, long amount) {
    return value.plus(amount, unit);
  }

  /** Boundaries crossed from start to end. */
  long between(LocalDateTime start, LocalDateTime end) {
    return switch (this) {
      case YEAR -> end.getYear() - (long) start.getYear();
      case QUARTER ->
          (end.getYear() - start.getYear()) * 4L + QUARTER.read(end) - QUARTER.read(start);
      case MONTH ->
          (end.getYear() - start.getYear()) * 12L + end.getMonthValue() - start.getMonthValue();
      case WEEK ->
          ChronoUnit.WEEKS.between(
              start.toLocalDate().minusDays(start.getDayOfWeek().getValue() % 7),
              end.toLocalDate().minusDays(end.getDayOfWeek().getValue() % 7));
      case DAY, DAYOFYEAR, WEEKDAY ->
          ChronoUnit.DAYS.between(start.toLocalDate(), end.toLocalDate());
      default -> {
        ChronoUnit chrono = (ChronoUnit) unit;
        yield chrono.between(start.truncatedTo(chrono), end.truncatedTo(chrono));
      }
    };
  }
}

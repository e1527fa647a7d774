package io.github.mssqlcdc.testkit.sqlserver.engine.value;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Conversions to date and time types, with SQL Server's rounding. */
public final class Temporals {
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:(\\d{4})-?(\\d{2})-?(\\d{2}))?(?:[ T]*(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?"
              + "\\s*(Z|[+-]\\d{2}:\\d{2})?");
  private static final int MAX_OFFSET_SECONDS = 14 * 3600;
  private static final LocalDate EPOCH = LocalDate.of(1900, 1, 1);

  private Temporals() {}

  static Object convert(Object value, DataType from, DataType to) throws SqlServerError {
    return round(offsetDateTime(value, from, to), to);
  }

  /** Any date or time value as a moment; what it doesn't say is midnight, 1900-01-01 or +00:00. */
  private static OffsetDateTime offsetDateTime(Object value, DataType from, DataType to)
      throws SqlServerError {
    if (value instanceof OffsetDateTime moment) {
      return moment;
    }
    if (value instanceof LocalDateTime dateTime) {
      return dateTime.atOffset(ZoneOffset.UTC);
    }
    if (value instanceof LocalDate date) {
      return date.atStartOfDay().atOffset(ZoneOffset.UTC);
    }
    if (value instanceof LocalTime time) {
      return EPOCH.atTime(time).atOffset(ZoneOffset.UTC);
    }
    if (value instanceof String text) {
      return parse(text);
    }
    throw Errors.clash(Types.baseName(from), Types.baseName(to));
  }

  private static OffsetDateTime parse(String text) throws SqlServerError {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw Errors.badDate();
    }
    try {
      LocalDate date =
          matcher.group(1) == null
              ? EPOCH
              : LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3));
      LocalTime time =
          LocalTime.of(
              number(matcher, 4), number(matcher, 5), number(matcher, 6), nanos(matcher.group(7)));
      ZoneOffset offset =
          matcher.group(8) == null ? ZoneOffset.UTC : ZoneOffset.of(matcher.group(8));
      return OffsetDateTime.of(date, time, offset);
    } catch (DateTimeException e) {
      throw Errors.badDate();
    }
  }

  private static int number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static int nanos(@Nullable String fraction) {
    return fraction == null ? 0 : Integer.parseInt((fraction + "000000000").substring(0, 9));
  }

  private static Object round(OffsetDateTime moment, DataType to) throws SqlServerError {
    LocalDateTime local = moment.toLocalDateTime();
    return switch (to.name()) {
      case DATE -> local.toLocalDate();
      case TIME -> rounded(local, to.scale()).toLocalTime();
      case DATETIME -> datetime(local);
      case SMALLDATETIME -> local.plusSeconds(30).truncatedTo(ChronoUnit.MINUTES);
      case DATETIME2 -> rounded(local, to.scale());
      default -> inRange(rounded(local, to.scale()).atOffset(moment.getOffset()));
    };
  }

  /** Local time and instant are both of the years 1 to 9999; the offset is at most 14 hours. */
  private static OffsetDateTime inRange(OffsetDateTime moment) throws SqlServerError {
    int year = moment.getYear();
    int utcYear = moment.withOffsetSameInstant(ZoneOffset.UTC).getYear();
    boolean isFar = Math.abs(moment.getOffset().getTotalSeconds()) > MAX_OFFSET_SECONDS;
    if (isFar || Math.min(year, utcYear) < 1 || Math.max(year, utcYear) > 9999) {
      throw Errors.badDate();
    }
    return moment;
  }

  /** Rounded half up to so many digits of a second. */
  static LocalDateTime rounded(LocalDateTime value, int digits) {
    long unit = (long) Math.pow(10, 9 - digits);
    long nanos = (value.getNano() + unit / 2) / unit * unit;
    return value.withNano(0).plusNanos(nanos);
  }

  /** A datetime: 1/300 second ticks, told in milliseconds that end in 0, 3 or 7. */
  public static LocalDateTime datetime(LocalDateTime value) throws SqlServerError {
    if (value.getYear() < 1753) {
      throw new SqlServerError(
          242,
          16,
          3,
          "The conversion of a varchar data type to a datetime data type resulted in an"
              + " out-of-range value.");
    }
    long ticks = Math.round(value.getNano() * 300.0 / 1e9);
    return value.withNano(0).plusNanos(Math.round(ticks * 10 / 3.0) * 1_000_000);
  }
}

package io.github.mssqlcdc.type;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Readers of dates and times. Always by the {@code java.time} classes: {@code getTimestamp} and
 * {@code getString} shift a time that the JVM's zone skips in spring, and {@code getTime} rounds
 * 23:59:59.9999999 to midnight.
 */
final class TimeReaders {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final int TIME_DIGITS = 9;
  private static final Pattern DATE_TIME_OFFSET =
      Pattern.compile("\\s*(\\d{4}-\\d\\d-\\d\\d)[T ](\\S+?) ?(Z|[+-]\\d\\d(?::?\\d\\d)?)\\s*");
  private static final int TIME_LENGTH = "HH:mm:ss.".length() + TIME_DIGITS;

  private TimeReaders() {}

  /** Days since 1970, or microseconds where the target has a time. */
  static ColumnReader date(DataType target) {
    boolean widened = target.equals(DataTypes.TimestampNTZType);
    return (row, column, sink) -> {
      LocalDate value = row.getObject(column, LocalDate.class);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      if (widened) {
        sink.putLong(value.toEpochDay() * MICROS_PER_DAY);
        return Long.BYTES;
      }
      sink.putInt((int) value.toEpochDay());
      return Integer.BYTES;
    };
  }

  /** Microseconds since 1970 on the value's own clock; what is finer is cut off. */
  static ColumnReader dateTime() {
    return (row, column, sink) -> {
      LocalDateTime value = row.getObject(column, LocalDateTime.class);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putLong(micros(value.toEpochSecond(ZoneOffset.UTC), value.getNano()));
      return Long.BYTES;
    };
  }

  /** Microseconds since 1970 UTC of the instant; what is finer is cut off. */
  static ColumnReader instant() {
    return (row, column, sink) -> {
      OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putLong(micros(value.toEpochSecond(), value.getNano()));
      return Long.BYTES;
    };
  }

  /**
   * The same of text that carries its offset, as ISO 8601 or SQL Server write it: {@code
   * 2026-02-28T13:50-03:00}, {@code 2026-02-28 13:50:00.1234567 -03:00}.
   *
   * @param name of the column, for errors
   */
  static ColumnReader instantOfText(String name) {
    return (row, column, sink) -> {
      String value = row.getString(column);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      OffsetDateTime time = parse(name, value);
      sink.putLong(micros(time.toEpochSecond(), time.getNano()));
      return Long.BYTES;
    };
  }

  private static OffsetDateTime parse(String column, String value) {
    Matcher parts = DATE_TIME_OFFSET.matcher(value);
    try {
      if (parts.matches()) {
        return OffsetDateTime.of(
            LocalDate.parse(parts.group(1)),
            LocalTime.parse(parts.group(2)),
            ZoneOffset.of(parts.group(3)));
      }
    } catch (DateTimeException e) {
      throw noInstant(column, value, e);
    }
    throw noInstant(column, value, null);
  }

  private static CdcException noInstant(
      String column, String value, @Nullable DateTimeException cause) {
    return new CdcException(
        ErrorCode.INVALID_VALUE,
        "Cannot read '"
            + value
            + "' of column '"
            + column
            + "' as TIMESTAMP: only a date and a time with an offset from UTC are an instant, such"
            + " as 2026-02-28T13:50:00-03:00. Declare the column as STRING in option 'columns'",
        cause);
  }

  /** Text with nine digits after the second. */
  static ColumnReader time() {
    return (row, column, sink) -> {
      LocalTime value = row.getObject(column, LocalTime.class);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putBytes(text(value));
      return TIME_LENGTH;
    };
  }

  private static long micros(long seconds, int nanos) {
    return seconds * MICROS_PER_SECOND + nanos / NANOS_PER_MICRO;
  }

  private static byte[] text(LocalTime time) {
    byte[] text = "00:00:00.000000000".getBytes(US_ASCII);
    digits(text, 0, 2, time.getHour());
    digits(text, 3, 2, time.getMinute());
    digits(text, 6, 2, time.getSecond());
    digits(text, 9, TIME_DIGITS, time.getNano());
    return text;
  }

  private static void digits(byte[] text, int start, int length, int number) {
    int rest = number;
    for (int i = start + length - 1; i >= start; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}

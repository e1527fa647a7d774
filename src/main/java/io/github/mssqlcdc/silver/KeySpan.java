package io.github.mssqlcdc.silver;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.unix_date;
import static org.apache.spark.sql.functions.unix_micros;

import java.sql.Date;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Where the leading key of images lies, so that only silver's files in between are looked at.
 *
 * @param key the leading key
 * @param min its smallest value; null: not known
 * @param max its largest value; null likewise
 */
record KeySpan(String key, @Nullable Object min, @Nullable Object max) {
  /** Calendars and time zones differ before. */
  private static final Instant OLD = Instant.parse("1900-01-01T00:00:00Z");

  /** From what {@link #counted} makes of the smallest and of the largest key. */
  static KeySpan of(String key, DataType type, @Nullable Object min, @Nullable Object max) {
    return new KeySpan(key, value(type, min), value(type, max));
  }

  /**
   * A key as it reaches the driver unharmed: by the calendar of Java's old dates, and in their time
   * zone, some days and hours don't exist.
   */
  static Column counted(Column key, DataType type) {
    if (type instanceof DateType) {
      return unix_date(key);
    }
    return type instanceof TimestampType ? unix_micros(key) : key;
  }

  /** Null where Spark would hand Parquet another bound: it does so in those old dates, too. */
  private static @Nullable Object value(DataType type, @Nullable Object counted) {
    if (type instanceof DateType && counted instanceof Integer days) {
      LocalDate day = LocalDate.ofEpochDay(days);
      return Date.valueOf(day).toLocalDate().equals(day) ? day : null;
    }
    if (type instanceof TimestampType && counted instanceof Long micros) {
      Instant time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      return time.isBefore(OLD) ? null : time;
    }
    return counted;
  }

  Column within(Column condition) {
    return min == null || max == null
        ? condition
        : Names.ofTable(key).geq(lit(min)).and(Names.ofTable(key).leq(lit(max))).and(condition);
  }
}

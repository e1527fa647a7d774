package io.github.mssqlcdc.testkit.sqlserver.tds;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Dates and times as TDS counts them. */
final class Dates {
  private static final LocalDate YEAR_1 = LocalDate.of(1, 1, 1);
  private static final LocalDate YEAR_1900 = LocalDate.of(1900, 1, 1);
  private static final int TICKS_PER_SECOND = 300;
  private static final int TICKS_PER_DAY = 24 * 60 * 60 * TICKS_PER_SECOND;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int DATE_BYTES = 3;

  private Dates() {}

  /** Bytes of a time of this scale. */
  static int timeBytes(int scale) {
    return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
  }

  /** Days since 1900 and 1/300 s since midnight, rounded. */
  static void writeDatetime(PacketWriter out, LocalDateTime value) {
    long nanos = value.toLocalTime().toNanoOfDay();
    int ticks = (int) ((nanos * 3 + 5_000_000) / 10_000_000);
    int carried = ticks / TICKS_PER_DAY;
    out.i32((int) ChronoUnit.DAYS.between(YEAR_1900, value.toLocalDate()) + carried);
    out.i32(ticks % TICKS_PER_DAY);
  }

  static LocalDateTime readDatetime(WireReader in) {
    LocalDate date = YEAR_1900.plusDays(in.i32());
    long ticks = Integer.toUnsignedLong(in.i32());
    // a tick is 3 1/3 ms, and SQL Server shows it as whole milliseconds
    long millis = (ticks * 10 + 1) / 3;
    return date.atStartOfDay().plus(Duration.ofMillis(millis));
  }

  static void writeSmalldatetime(PacketWriter out, LocalDateTime value) {
    out.u16((int) ChronoUnit.DAYS.between(YEAR_1900, value.toLocalDate()));
    out.u16(value.getHour() * 60 + value.getMinute());
  }

  static LocalDateTime readSmalldatetime(WireReader in) {
    LocalDate date = YEAR_1900.plusDays(in.u16());
    return date.atStartOfDay().plusMinutes(in.u16());
  }

  static void writeDate(PacketWriter out, LocalDate value) {
    out.lowBytes(ChronoUnit.DAYS.between(YEAR_1, value), DATE_BYTES);
  }

  static LocalDate readDate(WireReader in) {
    return YEAR_1.plusDays(in.unsigned(DATE_BYTES));
  }

  /** Units of 10^-scale seconds since midnight, the rest cut off. */
  static void writeTime(PacketWriter out, LocalTime value, int scale) {
    out.lowBytes(value.toNanoOfDay() / nanosPerUnit(scale), timeBytes(scale));
  }

  static LocalTime readTime(WireReader in, int scale) {
    return LocalTime.ofNanoOfDay(in.unsigned(timeBytes(scale)) * nanosPerUnit(scale));
  }

  private static long nanosPerUnit(int scale) {
    long nanos = NANOS_PER_SECOND;
    for (int i = 0; i < scale; i++) {
      nanos /= 10;
    }
    return nanos;
  }
}

package io.github.mssqlcdc.source.row;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Spark's inner form of a TIMESTAMP_NTZ. */
final class Micros {
  private static final long PER_SECOND = 1_000_000;
  private static final int NANOS = 1_000;

  private Micros() {}

  static long of(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * PER_SECOND + time.getNano() / NANOS;
  }
}

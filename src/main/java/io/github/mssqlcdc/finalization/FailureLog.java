package io.github.mssqlcdc.finalization;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Tells of failures in a row without filling the log. Not thread-safe. */
final class FailureLog {
  private static final long SILENCE = Duration.ofMinutes(10).toNanos();

  private final Logger log;
  private final LongSupplier nanoTime;
  private int failures;
  private long told;
  private @Nullable Throwable last;

  FailureLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  void failed(String table, Throwable failure) {
    failures++;
    last = failure;
    long now = nanoTime.getAsLong();
    if (failures == 1) {
      told = now;
      log.error(
          "{}: the verdict can't be moved; the stream goes on, the next batch tries again",
          table,
          failure);
    } else if (now - told >= SILENCE) {
      told = now;
      log.warn("{}: the verdict can't be moved, {} times in a row: {}", table, failures, failure);
    }
  }

  void succeeded() {
    failures = 0;
    last = null;
  }

  int failures() {
    return failures;
  }

  @Nullable Throwable last() {
    return last;
  }
}

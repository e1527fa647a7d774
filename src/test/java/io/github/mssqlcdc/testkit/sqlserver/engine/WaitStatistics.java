package io.github.mssqlcdc.testkit.sqlserver.engine;

import java.util.concurrent.TimeUnit;

/**
 * How long a session has waited for its client to take rows, as wait type ASYNC_NETWORK_IO.
 * Inferred: handing over a row counts as a wait from one millisecond on. Thread-safe.
 */
final class WaitStatistics {
  private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private long waits;
  private long nanos;
  private long longestNanos;

  /** A row was handed over in this time. */
  void network(long elapsedNanos) {
    if (elapsedNanos >= LEAST_WAIT_NANOS) {
      add(elapsedNanos);
    }
  }

  private synchronized void add(long elapsedNanos) {
    waits++;
    nanos += elapsedNanos;
    longestNanos = Math.max(longestNanos, elapsedNanos);
  }

  synchronized long waits() {
    return waits;
  }

  synchronized long totalMs() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  synchronized long longestMs() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos);
  }
}

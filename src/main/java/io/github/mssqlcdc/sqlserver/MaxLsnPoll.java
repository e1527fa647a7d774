package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The max LSN read last from one database, shared by all streams of the JVM: an idle stream looks
 * here before it asks the server. Thread-safe.
 */
final class MaxLsnPoll {
  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable Reading> last = new AtomicReference<>();
  private final ReentrantLock asking = new ReentrantLock();

  /**
   * @param max max LSN; null when the map was empty
   * @param at when the read was sent, by the poll's clock
   */
  record Reading(@Nullable Lsn max, long at) {
    private boolean isPast(Lsn position) {
      return max != null && max.isAfter(position);
    }
  }

  MaxLsnPoll(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The clock that {@link #publish} counts by. */
  long now() {
    return nanoTime.getAsLong();
  }

  /** A read sent at that time told this max LSN; an older read never replaces a newer one. */
  void publish(@Nullable Lsn max, long sentAt) {
    Reading reading = new Reading(max, sentAt);
    last.accumulateAndGet(
        reading, (known, read) -> known == null || known.at() - sentAt <= 0 ? read : known);
  }

  /**
   * What a reading not older than the interval makes needless to ask, or the server's answer. One
   * thread asks at a time and the others wait for what it learns, at most an interval: streams
   * whose triggers fire together are one poll. Where there is something new, all ask at once.
   *
   * @param idle for a reading that shows nothing after the position
   * @param server asks it, and publishes
   */
  <T> T ask(Lsn position, Duration interval, Function<Reading, T> idle, Supplier<T> server) {
    Reading reading = young(interval);
    boolean isFirst = reading == null && isTurn(interval);
    try {
      reading = reading == null ? young(interval) : reading;
      if (reading != null && !reading.isPast(position)) {
        return idle.apply(reading);
      }
      if (reading == null) {
        return server.get();
      }
    } finally {
      if (isFirst) {
        asking.unlock();
      }
    }
    return server.get();
  }

  private @Nullable Reading young(Duration interval) {
    Reading reading = last.get();
    return reading == null || now() - reading.at() >= interval.toNanos() ? null : reading;
  }

  /** False after an interval: a server that doesn't answer one must not hold up all. */
  private boolean isTurn(Duration interval) {
    try {
      return asking.tryLock(interval.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The max LSN read last from one database, shared by all streams of the JVM: an idle stream looks
 * here before it asks the server. Thread-safe.
 */
final class MaxLsnPoll {
  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable Reading> last = new AtomicReference<>();

  /**
   * @param max max LSN; null when the map was empty
   * @param at when the read was sent, by the poll's clock
   */
  record Reading(@Nullable Lsn max, long at) {}

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
   * A reading not older than the interval that shows nothing after this position; null if the
   * server has to be asked.
   */
  @Nullable Reading idleAt(Lsn position, Duration interval) {
    Reading reading = last.get();
    if (reading == null || now() - reading.at() >= interval.toNanos()) {
      return null;
    }
    Lsn max = reading.max();
    return max == null || !max.isAfter(position) ? reading : null;
  }
}

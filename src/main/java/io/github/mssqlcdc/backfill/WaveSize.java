package io.github.mssqlcdc.backfill;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many chunks the next wave has: whole rounds of one chunk per connection, as many as fit into
 * the time that a wave shall take, at the pace of the last wave.
 *
 * @param connections chunks of a round
 * @param target how long a wave shall take; zero: one round
 */
record WaveSize(int connections, Duration target) {
  /** A wave's chunks stand in its commit: that stays small. */
  static final int MAX_CHUNKS = 1000;

  private static final double MS_PER_SECOND = 1000;

  /**
   * @param lastChunks chunks of the last wave; 0: there was none
   * @param lastMs how long it took; null or 0: unknown, and one round is a first measure
   * @param left what is left of the call's time; null: no limit
   */
  int chunks(int lastChunks, @Nullable Long lastMs, @Nullable Duration left) {
    if (target.isZero() || lastChunks == 0 || lastMs == null || lastMs == 0) {
      return connections;
    }
    long lastRounds = (lastChunks + connections - 1L) / connections;
    Duration time = left == null || target.compareTo(left) < 0 ? target : left;
    // a duration may be longer than milliseconds can say
    double ms = time.toSeconds() * MS_PER_SECOND + time.toMillisPart();
    long rounds = Math.max(1, (long) (ms * lastRounds / lastMs));
    long most = Math.max(1, MAX_CHUNKS / connections);
    return (int) (Math.min(rounds, most) * connections);
  }
}

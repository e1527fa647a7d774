package io.github.mssqlcdc.delta.table;

import io.delta.exceptions.DeltaConcurrentModificationException;
import io.delta.kernel.commit.CommitFailedException;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.exceptions.MaxCommitRetryLimitReachedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkThrowable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a write that lost to another writer; only for writes that may be repeated. */
final class ConflictRetry {
  private static final Logger LOG = LoggerFactory.getLogger(ConflictRetry.class);
  static final int ATTEMPTS = 6;
  private static final long NANOS_PER_ATTEMPT = 500_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** What Delta's conditions of the kind begin with, as its exceptions of other classes say. */
  private static final String CONDITION = "DELTA_CONCURRENT_";

  /** For appends, which another append doesn't stop: few attempts, short pauses. */
  static final Pace SHORT =
      (attempt, spent) ->
          attempt == ATTEMPTS ? Optional.empty() : Optional.of(random(attempt * NANOS_PER_ATTEMPT));

  /** For rows that many writers change at once: about a minute, up to 10 s at a time. */
  static final Pace LONG =
      (attempt, spent) ->
          spent.compareTo(PATIENCE) >= 0
              ? Optional.empty()
              : Optional.of(random(LONGEST_PAUSE.toNanos()));

  private ConflictRetry() {}

  /** A write that may fail with {@code E} for other reasons than a conflict. */
  interface Write<T, E extends Exception> {
    T run() throws E;
  }

  /** How long a write waits before it is repeated. */
  interface Pace {
    /**
     * The pause after an attempt that lost; empty: it was the last.
     *
     * @param attempt its number, from 1
     * @param spent time since the first began
     */
    Optional<Duration> pauseAfter(int attempt, Duration spent);
  }

  static <T, E extends Exception> T run(DeltaTableRef table, Write<T, E> write) throws E {
    return run(table, SHORT, write);
  }

  static <T, E extends Exception> T run(DeltaTableRef table, Pace pace, Write<T, E> write)
      throws E {
    long start = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      try {
        return write.run();
      } catch (Exception e) {
        Optional<Duration> pause =
            isConflict(e)
                ? pace.pauseAfter(attempt, Duration.ofNanos(System.nanoTime() - start))
                : Optional.empty();
        if (pause.isEmpty()) {
          throw e;
        }
        LOG.info("{}: another writer was first, attempt {}", table, attempt, e);
        LockSupport.parkNanos(pause.get().toNanos());
      }
    }
  }

  /** The same for a write that has nothing to tell. */
  static void write(DeltaTableRef table, Pace pace, Runnable write) {
    DeltaTableRef unused =
        run(
            table,
            pace,
            () -> {
              write.run();
              return table;
            });
  }

  static boolean isConflict(Exception e) {
    return e instanceof DeltaConcurrentModificationException
        || e instanceof ConcurrentWriteException
        || e instanceof MaxCommitRetryLimitReachedException
            && e.getCause() instanceof CommitFailedException failed
            && failed.isConflict()
        || e instanceof SparkThrowable error
            && String.valueOf(error.getCondition()).startsWith(CONDITION);
  }

  private static Duration random(long nanos) {
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos) + 1);
  }
}

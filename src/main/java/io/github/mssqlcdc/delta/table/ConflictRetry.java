package io.github.mssqlcdc.delta.table;

import io.delta.exceptions.DeltaConcurrentModificationException;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a write that lost to another writer; its transaction id makes that harmless. */
final class ConflictRetry {
  private static final Logger LOG = LoggerFactory.getLogger(ConflictRetry.class);
  static final int ATTEMPTS = 6;
  private static final long NANOS_PER_ATTEMPT = 500_000_000;

  private ConflictRetry() {}

  /** A write that may fail with {@code E} for other reasons than a conflict. */
  interface Write<T, E extends Exception> {
    T run() throws E;
  }

  static <T, E extends Exception> T run(DeltaTableRef table, Write<T, E> write) throws E {
    for (int attempt = 1; ; attempt++) {
      try {
        return write.run();
      } catch (Exception e) {
        if (!isConflict(e) || attempt == ATTEMPTS) {
          throw e;
        }
        LOG.info("{}: another writer was first, attempt {} of {}", table, attempt, ATTEMPTS, e);
        LockSupport.parkNanos(
            ThreadLocalRandom.current().nextLong(attempt * NANOS_PER_ATTEMPT) + 1);
      }
    }
  }

  static boolean isConflict(Exception e) {
    return e instanceof DeltaConcurrentModificationException
        || e instanceof ConcurrentWriteException;
  }
}

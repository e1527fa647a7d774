package io.github.mssqlcdc.finalization;

import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a table's verdict in a thread of its own: whoever hands it positions never waits, and never
 * sees a failure. Of the positions that come while it works the newest counts. Thread-safe.
 */
public final class VerdictWorker {
  private static final Logger LOG = LoggerFactory.getLogger(VerdictWorker.class);

  private final String table;
  private final Granularity granularity;
  private final Mover mover;
  private final FailureLog failures;
  private final CountDownLatch done = new CountDownLatch(1);
  private @Nullable Offset waiting;
  private @Nullable Verdict written;
  private boolean ended;

  /** Writes a verdict. */
  @FunctionalInterface
  public interface Mover {
    /** The verdict that the table has now. */
    Verdict move(Verdict verdict);
  }

  /**
   * @param table for messages
   */
  public VerdictWorker(String table, Granularity granularity, Mover mover) {
    this(table, granularity, mover, LOG, System::nanoTime);
  }

  VerdictWorker(
      String table, Granularity granularity, Mover mover, Logger log, LongSupplier nanoTime) {
    this.table = table;
    this.granularity = granularity;
    this.mover = mover;
    this.failures = new FailureLog(log, nanoTime);
  }

  /** Begins to work. */
  public void start() {
    Thread thread = new Thread(this::work, "mssql-cdc-verdict-" + table);
    thread.setDaemon(true);
    thread.start();
  }

  /** The stream has got to a position. */
  public synchronized void reached(Offset end) {
    waiting = end;
    notifyAll();
  }

  /** The stream has ended: the last position that was handed over is worked on, no more come. */
  public synchronized void end() {
    ended = true;
    notifyAll();
  }

  /**
   * Waits for the work to be done, after {@link #end}.
   *
   * @return whether it is
   */
  public boolean join(Duration atMost) throws InterruptedException {
    return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Failures in a row, up to now; 0 after a success. */
  public synchronized int failures() {
    return failures.failures();
  }

  /** The last of them; empty after a success. */
  public synchronized Optional<Throwable> lastError() {
    return Optional.ofNullable(failures.last());
  }

  /** Whether a position waits for the work on the one before. */
  synchronized boolean isWaiting() {
    return waiting != null;
  }

  private void work() {
    try {
      for (Offset end = next(); end != null; end = next()) {
        Verdicts.candidate(end, granularity).ifPresent(this::move);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      done.countDown();
    }
  }

  private synchronized @Nullable Offset next() throws InterruptedException {
    while (waiting == null && !ended) {
      wait();
    }
    Offset next = waiting;
    waiting = null;
    return next;
  }

  private void move(Verdict verdict) {
    if (!verdict.isBeyond(written)) {
      return;
    }
    try {
      Verdict now = mover.move(verdict);
      synchronized (this) {
        written = now.isBeyond(verdict) ? now : verdict;
        failures.succeeded();
      }
    } catch (Exception | LinkageError | AssertionError e) { // Spark throws checked ones undeclared
      synchronized (this) {
        failures.failed(table, e);
      }
    }
  }
}

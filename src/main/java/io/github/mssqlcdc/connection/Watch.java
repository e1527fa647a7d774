package io.github.mssqlcdc.connection;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after threads that wait for the server: what nobody wants any more is cancelled there, what
 * cancelling doesn't end is cut off, and a long wait is told. JDBC itself waits for as long as it
 * takes, whatever becomes of the thread. Thread-safe.
 */
public final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final DaemonTimer timer;
  private final Patience patience;

  /**
   * How long what may take.
   *
   * @param look between two looks at a wait
   * @param tell between two lines in the log about a wait
   * @param cancel from cancelling on the server to cutting the connection off
   */
  public record Patience(Duration look, Duration tell, Duration cancel) {
    public static final Patience DEFAULT =
        new Patience(Duration.ofMillis(200), Duration.ofMinutes(1), Duration.ofSeconds(10));
  }

  public Watch(DaemonTimer timer, Patience patience) {
    this.timer = timer;
    this.patience = patience;
  }

  /**
   * Begins to look after a wait of the calling thread.
   *
   * @param purpose what it waits for, as it reads after "Waiting to"
   * @param statement what runs on the server
   * @param abandoned whether nobody wants the answer any more; an interrupt of the thread says so
   *     as well
   */
  public Wait over(String purpose, Statement statement, Lease lease, BooleanSupplier abandoned) {
    return new Wait(purpose, statement, lease, abandoned);
  }

  /** A wait that lasts until it is closed; from then on nothing happens to its connection. */
  public final class Wait implements AutoCloseable {
    private final String purpose;
    private final Statement statement;
    private final Lease lease;
    private final BooleanSupplier abandoned;
    private final Thread thread = Thread.currentThread();
    private final long began = System.nanoTime();
    private final Future<?> looks;
    private long told;
    private @Nullable Long cancelledAt;
    private boolean isOver;

    private Wait(String purpose, Statement statement, Lease lease, BooleanSupplier abandoned) {
      this.purpose = purpose;
      this.statement = statement;
      this.lease = lease;
      this.abandoned = abandoned;
      this.looks = timer.every(patience.look(), this::look);
    }

    /** Whether it was cancelled because nobody wanted the answer any more. */
    public synchronized boolean isCancelled() {
      return cancelledAt != null;
    }

    /** Cancels on the server now; whoever waits then waits for no longer than a cancel may take. */
    public synchronized void cancel() throws SQLException {
      cancelledAt = System.nanoTime();
      statement.cancel();
    }

    @Override
    public void close() {
      synchronized (this) {
        isOver = true;
      }
      looks.cancel(false);
    }

    private synchronized void look() {
      if (isOver) {
        return;
      }
      tell();
      if (cancelledAt != null) {
        if (since(cancelledAt).compareTo(patience.cancel()) > 0) {
          cutOff();
        }
      } else if (thread.isInterrupted() || abandoned.getAsBoolean()) {
        try {
          cancel();
        } catch (SQLException e) {
          LOG.debug("Cannot cancel: {}", purpose, e);
        }
      }
    }

    private void tell() {
      Duration waited = since(began);
      long due = waited.dividedBy(patience.tell());
      if (due > told) {
        told = due;
        LOG.info("Waiting for SQL Server for {} s: to {}", waited.toSeconds(), purpose);
      }
    }

    private void cutOff() {
      isOver = true;
      looks.cancel(false);
      LOG.warn(
          "No answer to a cancel for {} s, the connection is cut off: failed to {}",
          patience.cancel().toSeconds(),
          purpose);
      lease.abort();
    }

    private Duration since(long nanoTime) {
      return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
  }
}

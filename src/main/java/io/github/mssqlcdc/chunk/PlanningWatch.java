package io.github.mssqlcdc.chunk;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells now and then how far a plan has got, from its beginning until it is closed. */
public final class PlanningWatch implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(PlanningWatch.class);

  private final String table;
  private final AtomicLong answers = new AtomicLong();
  private final long begun = System.nanoTime();
  private final ScheduledExecutorService ticker;

  /** Tells once a minute. */
  public PlanningWatch(String table) {
    this(table, INTERVAL);
  }

  PlanningWatch(String table, Duration interval) {
    this.table = table;
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mssql-cdc-planning");
              thread.setDaemon(true);
              return thread;
            });
    var unused =
        ticker.scheduleAtFixedRate(
            this::tell, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The server has answered once more. */
  public void answered() {
    answers.incrementAndGet();
  }

  /** Since the plan began. */
  public double seconds() {
    return (System.nanoTime() - begun) / 1_000_000 / 1e3;
  }

  private void tell() {
    LOG.info(
        "{}: still planning after {} s; the server has answered {} counts and seeks so far",
        table,
        Math.round(seconds()),
        answers.get());
  }

  @Override
  public void close() {
    ticker.shutdownNow();
  }
}

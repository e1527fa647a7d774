package io.github.mssqlcdc.connection;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs short work later, on one daemon thread that ends when there is none. Thread-safe. */
public final class DaemonTimer {
  private static final long KEEP_ALIVE_SECONDS = 10;

  private final ScheduledThreadPoolExecutor executor;

  public DaemonTimer() {
    this.executor = new ScheduledThreadPoolExecutor(1, DaemonTimer::thread);
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
  }

  /** Runs it once, unless it is cancelled before. */
  Future<?> after(Duration delay, Runnable work) {
    return executor.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs it again and again until it is cancelled or fails. */
  Future<?> every(Duration interval, Runnable work) {
    long millis = interval.toMillis();
    return executor.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "mssql-cdc-timer");
    thread.setDaemon(true);
    return thread;
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tds;

import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import org.jspecify.annotations.Nullable;

/**
 * Whether a session's request is running, and whether the client wants it to stop. A cancellation
 * stays until it is acknowledged, so one that overtakes its request isn't lost. Thread-safe.
 */
final class Execution {
  private static final long REPEAT_MS = 100;

  private @Nullable BackendSession running;
  private volatile boolean cancelled;

  /** False if the request has been cancelled before it began. */
  synchronized boolean begin(BackendSession session) {
    if (cancelled) {
      return false;
    }
    running = session;
    return true;
  }

  synchronized void end() {
    running = null;
    notifyAll();
  }

  /**
   * Cancels and waits until nothing is running. Tells the session again and again, since the first
   * time may come before it has begun to listen.
   */
  synchronized void cancel() throws InterruptedException {
    cancelled = true;
    while (running != null) {
      running.cancel();
      wait(REPEAT_MS);
    }
  }

  boolean cancelled() {
    return cancelled;
  }

  void acknowledge() {
    cancelled = false;
  }
}

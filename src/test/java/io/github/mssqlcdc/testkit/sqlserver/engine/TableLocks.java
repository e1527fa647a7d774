package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes locking reads wait for transactions that changed the table. SQL Server locks rows, this
 * locks tables: a reader may wait here where it would not there. Thread-safe.
 */
final class TableLocks {
  private static final long POLL_MS = 20;

  private final Map<Integer, Set<Session>> writers = new HashMap<>();
  private final Map<Session, Set<Session>> waiting = new HashMap<>();

  /** The session has changed the table; until {@link #release} others' locking reads wait. */
  synchronized void write(Session session, int tableId) {
    writers.computeIfAbsent(tableId, unused -> new HashSet<>()).add(session);
  }

  synchronized void release(Session session) {
    writers.values().forEach(sessions -> sessions.remove(session));
    notifyAll();
  }

  /**
   * Waits until nobody else has uncommitted changes in the table.
   *
   * @param timeoutMs -1: forever
   * @param cancelled asked while waiting; true ends the wait
   * @throws SqlServerError 1222 after the timeout, 1205 in a deadlock
   */
  synchronized void awaitReadable(
      Session session, int tableId, long timeoutMs, BooleanSupplier cancelled)
      throws SqlServerError {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    try {
      while (!cancelled.getAsBoolean()) {
        Set<Session> blockers = new HashSet<>(writers.getOrDefault(tableId, Set.of()));
        blockers.remove(session);
        if (blockers.isEmpty()) {
          return;
        }
        waiting.put(session, blockers);
        if (blockers.stream().anyMatch(blocker -> waitsFor(blocker, session, new HashSet<>()))) {
          throw H2Errors.deadlock();
        }
        if (timeoutMs >= 0 && System.nanoTime() - deadline >= 0) {
          throw H2Errors.lockTimeout();
        }
        wait(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.remove(session);
    }
  }

  private boolean waitsFor(Session from, Session sought, Set<Session> seen) {
    if (!seen.add(from)) {
      return false;
    }
    Set<Session> blockers = waiting.getOrDefault(from, Set.of());
    return blockers.contains(sought)
        || blockers.stream().anyMatch(next -> waitsFor(next, sought, seen));
  }
}

package io.github.mssqlcdc.connection;

import java.sql.Connection;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection borrowed from a pool. Give it back once, by closing or discarding it. */
public final class Lease implements AutoCloseable {
  private final ConnectionPool pool;
  private final Connection connection;
  private final AtomicBoolean given = new AtomicBoolean();

  Lease(ConnectionPool pool, Connection connection) {
    this.pool = pool;
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /** Back to the pool, for the next borrower. */
  @Override
  public void close() {
    if (given.compareAndSet(false, true)) {
      pool.release(connection);
    }
  }

  /**
   * Closes the connection for good, after a failure: its state isn't known any more. If the network
   * broke, the pool's idle connections go with it.
   */
  public void discard(Throwable failure) {
    if (given.compareAndSet(false, true)) {
      pool.evict(connection, failure);
    }
  }
}

package io.github.mssqlcdc.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection borrowed from a pool. Give it back once, by closing or discarding it. */
public final class Lease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

  private final ConnectionPool pool;
  private final HikariDataSource from;
  private final Connection connection;
  private final AtomicBoolean given = new AtomicBoolean();

  Lease(ConnectionPool pool, HikariDataSource from, Connection connection) {
    this.pool = pool;
    this.from = from;
    this.connection = connection;
  }

  public Connection connection() {
    return connection;
  }

  /** Back to the pool, for the next borrower. */
  @Override
  public void close() {
    if (given.compareAndSet(false, true)) {
      pool.release(from, connection);
    }
  }

  /**
   * Cuts the connection off, whatever another thread waits for on it: that one fails, and still has
   * to give the lease back. Thread-safe.
   */
  void abort() {
    try {
      // what the driver does then may wait for the read, and must not hold up the caller
      connection.abort(work -> daemon(work).start());
    } catch (SQLException e) {
      LOG.debug("Cannot cut a connection off", e);
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "mssql-cdc-abort");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Closes the connection for good, after a failure: its state isn't known any more. If the network
   * broke, the pool's idle connections go with it.
   */
  public void discard(Throwable failure) {
    if (given.compareAndSet(false, true)) {
      pool.evict(from, connection, failure);
    }
  }
}

package io.github.mssqlcdc.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Connections to one database as one login. Opens them when they are asked for, keeps them warm for
 * ten minutes, sends nothing of its own. Thread-safe; its threads are daemons.
 */
public final class ConnectionPool implements AutoCloseable {
  /** Others may be reading for as long as this. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  /** A login that failed stays with the pool for a moment; it must not keep others waiting. */
  private static final int SPARE = 2;

  private final String name;
  private final int size;
  private final Semaphore permits;
  private final PhysicalConnections physical;
  private final HikariDataSource hikari;

  /**
   * Opens nothing yet.
   *
   * @param target names the pool in logs
   * @param size how many connections may be in use at a time
   * @param loginTimeout how long one login may take
   * @param opener opens a connection
   */
  public ConnectionPool(
      ConnectionTarget target, int size, Duration loginTimeout, ConnectionOpener opener) {
    this.name = "mssql-cdc " + target;
    this.size = size;
    this.permits = new Semaphore(size, true);
    this.physical = new PhysicalConnections(opener);
    this.hikari = new HikariDataSource(config(loginTimeout));
  }

  /**
   * A connection in autocommit, opened anew if none is idle; the caller waits for one while all are
   * in use.
   *
   * @throws ConnectFailedException if it can't be opened; each call tries once
   * @throws SQLException if all stay in use for ten minutes, or the thread is interrupted
   */
  public Lease borrow() throws SQLException {
    acquire();
    try {
      return new Lease(this, open());
    } catch (SQLException | RuntimeException e) {
      permits.release();
      throw e;
    }
  }

  /** Closes every connection. */
  @Override
  public void close() {
    hikari.close();
  }

  void release(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      hikari.evictConnection(connection);
    } finally {
      permits.release();
    }
  }

  void evict(Connection connection, Throwable failure) {
    hikari.evictConnection(connection);
    HikariPoolMXBean pool = hikari.getHikariPoolMXBean();
    boolean broken = failure instanceof SQLException e && Failures.isBrokenConnection(e);
    if (broken && pool != null) {
      // otherwise each retry would meet another dead connection
      pool.softEvictConnections();
    }
    permits.release();
  }

  private void acquire() throws SQLException {
    try {
      if (!permits.tryAcquire(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SQLException(
            "All " + size + " connections of pool '" + name + "' have been in use for " + MAX_WAIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while waiting for a connection of '" + name + "'", e);
    }
  }

  private Connection open() throws SQLException {
    long start = System.nanoTime();
    while (true) {
      boolean worked = physical.worked();
      Connection connection = hikari.getConnection();
      if (!connection.isWrapperFor(PhysicalConnections.Failed.class)) {
        return connection;
      }
      PhysicalConnections.Failed failed = connection.unwrap(PhysicalConnections.Failed.class);
      SQLException failure = failed.failure();
      boolean stale = failed.failedAt() - start < 0;
      hikari.evictConnection(connection);
      if (!stale) {
        throw new ConnectFailedException(failure, worked);
      }
    }
  }

  private HikariConfig config(Duration loginTimeout) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(physical);
    config.setMaximumPoolSize(size + SPARE);
    config.setMinimumIdle(0);
    // a login may be repeated by the driver before it gives up
    config.setConnectionTimeout(loginTimeout.multipliedBy(3).plusSeconds(30).toMillis());
    config.setInitializationFailTimeout(-1);
    config.setKeepaliveTime(0);
    return config;
  }
}

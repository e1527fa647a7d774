package io.github.mssqlcdc.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to one database as one login. Opens them when they are asked for, keeps them warm for
 * ten minutes, sends nothing of its own; ten minutes after the last use it holds neither connection
 * nor thread. Thread-safe; its threads are daemons.
 */
public final class ConnectionPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

  /** Others may be reading for as long as this. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  private static final Duration TELL = Duration.ofMinutes(1);

  /** A login that failed stays with the pool for a moment; it must not keep others waiting. */
  private static final int SPARE = 2;

  private final String name;
  private final int size;
  private final Duration loginTimeout;
  private final Semaphore permits;
  private final PhysicalConnections physical;
  private final DaemonTimer timer;
  private final Duration idle;
  private int users;
  private boolean isClosed;
  private @Nullable HikariDataSource hikari;
  private @Nullable Future<?> closing;

  /**
   * Opens nothing yet.
   *
   * @param target names the pool in logs
   * @param size how many connections may be in use at a time
   * @param loginTimeout how long one login may take
   * @param opener opens a connection
   */
  public ConnectionPool(
      ConnectionTarget target,
      int size,
      Duration loginTimeout,
      ConnectionOpener opener,
      DaemonTimer timer) {
    this(target, size, loginTimeout, opener, timer, Duration.ofMinutes(10));
  }

  /**
   * @param idle how long nobody may have used it before it lets go of everything
   */
  ConnectionPool(
      ConnectionTarget target,
      int size,
      Duration loginTimeout,
      ConnectionOpener opener,
      DaemonTimer timer,
      Duration idle) {
    this.name = "mssql-cdc " + target;
    this.size = size;
    this.loginTimeout = loginTimeout;
    this.permits = new Semaphore(size, true);
    this.physical = new PhysicalConnections(opener);
    this.timer = timer;
    this.idle = idle;
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
      HikariDataSource open = use();
      try {
        return new Lease(this, open, open(open));
      } catch (SQLException | RuntimeException e) {
        leave();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      permits.release();
      throw e;
    }
  }

  /** Closes every connection that isn't in use, and gives out none any more. */
  @Override
  public void close() {
    HikariDataSource open;
    synchronized (this) {
      isClosed = true;
      open = hikari;
      hikari = null;
    }
    if (open != null) {
      open.close();
    }
  }

  void release(HikariDataSource from, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      from.evictConnection(connection);
    } finally {
      leave();
      permits.release();
    }
  }

  void evict(HikariDataSource from, Connection connection, Throwable failure) {
    from.evictConnection(connection);
    HikariPoolMXBean pool = from.getHikariPoolMXBean();
    boolean broken = failure instanceof SQLException e && Failures.isBrokenConnection(e);
    if (broken && pool != null) {
      // otherwise each retry would meet another dead connection
      pool.softEvictConnections();
    }
    leave();
    permits.release();
  }

  private synchronized HikariDataSource use() throws SQLException {
    if (isClosed) {
      throw new SQLException("Pool '" + name + "' is closed: the process ends");
    }
    if (closing != null) {
      closing.cancel(false);
      closing = null;
    }
    if (hikari == null) {
      hikari = new HikariDataSource(config());
    }
    users++;
    return hikari;
  }

  private synchronized void leave() {
    users--;
    if (users == 0 && !isClosed) {
      closing = timer.after(idle, this::closeIdle);
    }
  }

  private void closeIdle() {
    HikariDataSource unused = null;
    synchronized (this) {
      if (users == 0) {
        unused = hikari;
        hikari = null;
      }
    }
    if (unused != null) {
      unused.close();
    }
  }

  private void acquire() throws SQLException {
    try {
      for (Duration waited = TELL; !permits.tryAcquire(TELL.toMillis(), TimeUnit.MILLISECONDS); ) {
        if (waited.compareTo(MAX_WAIT) >= 0) {
          throw new SQLException(
              "All "
                  + size
                  + " connections of pool '"
                  + name
                  + "' have been in use for "
                  + MAX_WAIT);
        }
        LOG.info(
            "Waiting for a connection of pool '{}' for {} s: all {} are in use",
            name,
            waited.toSeconds(),
            size);
        waited = waited.plus(TELL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while waiting for a connection of '" + name + "'", e);
    }
  }

  private Connection open(HikariDataSource hikari) throws SQLException {
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

  private HikariConfig config() {
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

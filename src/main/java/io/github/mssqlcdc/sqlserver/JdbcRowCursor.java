package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Lease;
import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.lsn.Lsn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams the rows of one batch of three results, as {@link Rest} tells. */
final class JdbcRowCursor implements RowCursor {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcRowCursor.class);

  private final Lease lease;
  private final Rest rest;
  private final PreparedStatement statement;
  private final Results results;
  private @Nullable ResultSet rows;
  private @Nullable Long waitBefore;
  private Optional<Rest> left;
  private boolean isComplete;

  /** Judges the max LSN read before the rows; throws if it is too low. */
  @FunctionalInterface
  interface MaxLsnCheck {
    void check(@Nullable Lsn maxLsn);
  }

  /**
   * @param wait T-SQL of the session's wait
   * @param stall how long the server may be silent, before the first row and between rows
   */
  JdbcRowCursor(Lease lease, Rest rest, String wait, Duration stall) throws SQLException {
    this.lease = lease;
    this.rest = rest;
    this.left = Optional.of(rest);
    // sends nothing; the pool puts it back when the connection returns
    lease.connection().setNetworkTimeout(Runnable::run, (int) stall.toMillis());
    this.statement = rest.batch(wait).prepare(lease.connection());
    this.results = new Results(statement);
  }

  boolean isOpen() {
    return rows != null;
  }

  PreparedStatement statement() {
    return statement;
  }

  Lease lease() {
    return lease;
  }

  /** Sends the batch and goes up to the rows. */
  void open(MaxLsnCheck check) throws SQLException {
    ResultSet head = results.nextRow();
    Lsn maxLsn = Results.lsn(head, 1);
    waitBefore = Results.number(head, 2);
    check.check(maxLsn);
    // past the pool's wrapper: it would cost on every value
    rows = results.next().unwrap(ResultSet.class);
  }

  @Override
  public boolean next() throws SQLException {
    return row().next();
  }

  @Override
  public ResultSet row() {
    if (rows == null) {
      throw new IllegalStateException("Cursor isn't open");
    }
    return rows;
  }

  @Override
  public void mark() throws SQLException {
    left = rest.after(row());
  }

  @Override
  public Tail tail() throws SQLException {
    ResultSet tail = results.nextRow();
    Lsn minLsn = Results.lsn(tail, 1);
    Lsn maxLsn = Results.lsn(tail, 2);
    Long waitAfter = Results.number(tail, 3);
    isComplete = true;
    return new Tail(minLsn, maxLsn, SessionWaits.between(waitBefore, waitAfter));
  }

  /** What is left after the last mark; empty if it can't be told. */
  Optional<Rest> left() {
    return left;
  }

  boolean isComplete() {
    return isComplete;
  }

  /** Drops the connection. */
  void discard(Exception failure) {
    lease.discard(failure);
  }

  /** Gives the connection back, or drops it if it can't be cleared. */
  void close(Watch.Wait wait) {
    try (statement) {
      if (!isComplete) {
        // closing alone would make the driver read all that is still to come
        wait.cancel();
      }
    } catch (SQLException e) {
      LOG.debug("Cursor: cannot be closed cleanly, its connection is dropped", e);
      lease.discard(e);
      return;
    }
    lease.close();
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Lease;
import io.github.mssqlcdc.lsn.Lsn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams the rows of one batch of three results: max LSN and the session's wait; the rows; min
 * LSN, max LSN and the wait again.
 */
final class JdbcRowCursor implements RowCursor {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcRowCursor.class);

  /** How long the server may be silent, before the first row and between rows. */
  private static final Duration MAX_STALL = Duration.ofMinutes(10);

  private final Lease lease;
  private final PreparedStatement statement;
  private final Results results;
  private final Function<SQLException, RuntimeException> translate;
  private @Nullable ResultSet rows;
  private @Nullable Long waitBefore;
  private boolean complete;
  private @Nullable SQLException failure;

  /** Judges the max LSN read before the rows; throws if it is too low. */
  @FunctionalInterface
  interface MaxLsnCheck {
    void check(@Nullable Lsn maxLsn);
  }

  JdbcRowCursor(Lease lease, Batch batch, Function<SQLException, RuntimeException> translate)
      throws SQLException {
    this.lease = lease;
    this.translate = translate;
    // sends nothing; the pool puts it back when the connection returns
    lease.connection().setNetworkTimeout(Runnable::run, (int) MAX_STALL.toMillis());
    this.statement = batch.prepare(lease.connection());
    this.results = new Results(statement);
  }

  /**
   * Sends the batch and goes up to the rows.
   *
   * @throws SQLException on failure; the connection is still the caller's then
   */
  void open(MaxLsnCheck check) throws SQLException {
    ResultSet head = results.nextRow();
    Lsn maxLsn = Results.lsn(head, 1);
    waitBefore = Results.number(head, 2);
    check.check(maxLsn);
    // past the pool's wrapper: it would cost on every value
    rows = results.next().unwrap(ResultSet.class);
  }

  @Override
  public boolean next() {
    try {
      return row().next();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public ResultSet row() {
    if (rows == null) {
      throw new IllegalStateException("Cursor isn't open");
    }
    return rows;
  }

  @Override
  public Tail tail() {
    try {
      ResultSet tail = results.nextRow();
      Lsn minLsn = Results.lsn(tail, 1);
      Lsn maxLsn = Results.lsn(tail, 2);
      Long waitAfter = Results.number(tail, 3);
      complete = true;
      return new Tail(minLsn, maxLsn, SessionWaits.between(waitBefore, waitAfter));
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    if (failure != null) {
      lease.discard(failure);
      return;
    }
    try (statement) {
      if (!complete) {
        // closing alone would make the driver read all that is still to come
        statement.cancel();
      }
    } catch (SQLException e) {
      LOG.debug("Cursor: cannot be closed cleanly, its connection is dropped", e);
      lease.discard(e);
      return;
    }
    lease.close();
  }

  private RuntimeException failed(SQLException e) {
    failure = e;
    return translate.apply(e);
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.Lease;
import io.github.mssqlcdc.connection.Retry;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches: on a pooled connection, again on a new one if the failure may pass, its errors
 * translated. Thread-safe.
 */
final class Database {
  private final ConnectionPool pool;
  private final Retry retry;
  private final ErrorTranslator errors;

  /** Reads all that a caller wants of the answer. */
  @FunctionalInterface
  interface Answer<T> {
    T read(Results results) throws SQLException;
  }

  /** Work on a connection; gives the lease back itself, unless it fails. */
  @FunctionalInterface
  private interface Work<T> {
    T run(Lease lease) throws SQLException;
  }

  /**
   * What a batch is for.
   *
   * @param what as it reads after "Failed to"
   * @param instance the capture instance that it is about; null: none
   */
  record Purpose(String what, @Nullable CaptureInstance instance) {}

  Database(ConnectionPool pool, Retry retry, ErrorTranslator errors) {
    this.pool = pool;
    this.retry = retry;
    this.errors = errors;
  }

  /**
   * Sends a batch, reads its answer, gives the connection back.
   *
   * @param timeout zero: as long as it takes
   */
  <T> T query(Purpose purpose, Duration timeout, Batch batch, Answer<T> answer) {
    return retried(
        purpose,
        lease -> {
          T value;
          try (PreparedStatement statement = batch.prepare(lease.connection())) {
            statement.setQueryTimeout(
                timeout.isZero() ? 0 : (int) Math.max(1, timeout.toSeconds()));
            value = answer.read(new Results(statement));
          }
          lease.close();
          return value;
        });
  }

  /**
   * Sends a batch whose rows are streamed; the cursor owns the connection.
   *
   * @param waits how the session's wait is read
   * @param batch makes the batch from the T-SQL of that wait
   * @param check judges the max LSN read before the rows
   */
  RowCursor open(
      Purpose purpose,
      SessionWaits waits,
      Function<String, Batch> batch,
      JdbcRowCursor.MaxLsnCheck check) {
    return retried(
        purpose,
        lease -> {
          JdbcRowCursor cursor =
              new JdbcRowCursor(
                  lease,
                  batch.apply(waits.sql()),
                  failure -> errors.translate(purpose.what(), purpose.instance(), failure));
          cursor.open(check);
          return cursor;
        },
        waits::learn);
  }

  private <T> T retried(Purpose purpose, Work<T> work) {
    return retried(purpose, work, failure -> false);
  }

  /**
   * @param learnt whether a failure has taught us to ask differently: then the call is repeated at
   *     once
   */
  private <T> T retried(Purpose purpose, Work<T> work, Predicate<SQLException> learnt) {
    try {
      return retry.call(
          purpose.what(),
          () -> {
            try {
              return onNewLease(work);
            } catch (SQLException e) {
              if (learnt.test(e)) {
                return onNewLease(work);
              }
              throw e;
            }
          });
    } catch (SQLException e) {
      throw errors.translate(purpose.what(), purpose.instance(), e);
    }
  }

  private <T> T onNewLease(Work<T> work) throws SQLException {
    Lease lease = pool.borrow();
    try {
      return work.run(lease);
    } catch (SQLException | RuntimeException e) {
      // what state the connection is in isn't known any more
      lease.discard(e);
      throw e;
    }
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionPool;
import io.github.mssqlcdc.connection.Interruption;
import io.github.mssqlcdc.connection.Lease;
import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches: on a pooled connection, again on a new one if the failure may pass, its errors
 * translated. Thread-safe.
 */
final class Database {
  private final ConnectionPool pool;
  private final Retry retry;
  private final ErrorTranslator errors;
  private final Watch watch;
  private final Timeouts timeouts;

  /** Reads all that a caller wants of the answer. */
  @FunctionalInterface
  interface Answer<T> {
    T read(Results results) throws SQLException;
  }

  /**
   * What a batch is for.
   *
   * @param what as it reads after "Failed to"
   * @param instance the capture instance that it is about; null: none
   */
  record Purpose(String what, @Nullable CaptureInstance instance) {}

  Database(
      ConnectionPool pool, Retry retry, ErrorTranslator errors, Watch watch, Timeouts timeouts) {
    this.pool = pool;
    this.retry = retry;
    this.errors = errors;
    this.watch = watch;
    this.timeouts = timeouts;
  }

  /**
   * Sends a batch, reads its answer, gives the connection back.
   *
   * @param timeout zero: as long as it takes
   */
  <T> T query(Purpose purpose, Duration timeout, Batch batch, Answer<T> answer) {
    return repeat(
        purpose,
        () -> {
          Lease lease = pool.borrow();
          try {
            T value = query(purpose, timeout, batch, answer, lease);
            lease.close();
            return value;
          } catch (SQLException | RuntimeException e) {
            // what state the connection is in isn't known any more
            lease.discard(e);
            throw e;
          }
        });
  }

  private <T> T query(Purpose purpose, Duration timeout, Batch batch, Answer<T> answer, Lease lease)
      throws SQLException {
    // the timeout is a cancel, which a dead link doesn't answer either; sends nothing
    Duration silence = timeout.isZero() ? timeout : timeout.plus(timeouts.patience().cancel());
    lease.connection().setNetworkTimeout(Runnable::run, (int) silence.toMillis());
    try (PreparedStatement statement = batch.prepare(lease.connection());
        Watch.Wait unused = watch(purpose, statement, lease, () -> false)) {
      statement.setQueryTimeout(timeout.isZero() ? 0 : (int) Math.max(1, timeout.toSeconds()));
      return answer.read(new Results(statement));
    }
  }

  /** Borrows a connection for a batch whose rows are streamed; sends nothing on it yet. */
  JdbcRowCursor begin(Rest rest, String wait) throws SQLException {
    Lease lease = pool.borrow();
    try {
      return new JdbcRowCursor(lease, rest, wait, timeouts.stall());
    } catch (SQLException | RuntimeException e) {
      lease.discard(e);
      throw e;
    }
  }

  /** See {@link Watch#over}. */
  Watch.Wait watch(Purpose purpose, Statement statement, Lease lease, BooleanSupplier abandoned) {
    return watch.over(purpose.what(), statement, lease, abandoned);
  }

  /** Repeats a call, on a connection of its own each time, if its failure may pass. */
  <T> T repeat(Purpose purpose, Retry.Call<T> call) {
    try {
      return retry.call(purpose.what(), call);
    } catch (SQLException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw Interruption.of(purpose.what(), e);
      }
      throw errors.translate(purpose.what(), purpose.instance(), e);
    }
  }

  boolean mayPass(SQLException failure) {
    return retry.mayPass(failure);
  }

  /**
   * A failure that may pass, of a call that can't be repeated.
   *
   * @param why as it reads after the failure's message
   */
  CdcException unrepeatable(Purpose purpose, String why, SQLException failure) {
    return new CdcException(
        ErrorCode.SOURCE_FAILED,
        errors.translate(purpose.what(), purpose.instance(), failure).getMessage() + why,
        failure);
  }
}

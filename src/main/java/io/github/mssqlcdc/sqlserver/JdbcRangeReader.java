package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Interruption;
import io.github.mssqlcdc.connection.Watch;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** A range over JDBC: each piece is a statement batch on a pooled connection. */
final class JdbcRangeReader implements RangeReader {
  private final Database database;
  private final Purpose purpose;
  private final SessionWaits waits;
  private final JdbcRowCursor.MaxLsnCheck check;
  private final String obstacle;
  private Optional<Rest> rest;
  private boolean hasBroken;
  private @Nullable JdbcRowCursor cursor;
  private volatile boolean isCancelled;

  /**
   * @param waits how the session's wait is read
   * @param check judges the max LSN read before the rows of each piece
   */
  JdbcRangeReader(
      Database database,
      Purpose purpose,
      SessionWaits waits,
      Rest whole,
      JdbcRowCursor.MaxLsnCheck check) {
    this.database = database;
    this.purpose = purpose;
    this.waits = waits;
    this.check = check;
    this.obstacle = whole.obstacle();
    this.rest = Optional.of(whole);
  }

  @Override
  public <T> T read(Work<T> work) {
    return database.repeat(
        purpose,
        () -> {
          if (isCancelled) {
            throw Interruption.of(purpose.what(), new CancellationException());
          }
          try {
            return attempt(work);
          } catch (SQLException e) {
            if (waits.learn(e)) {
              return attempt(work);
            }
            throw broken(e);
          }
        });
  }

  @Override
  public void cancel() {
    isCancelled = true;
  }

  @Override
  public void close() {
    JdbcRowCursor open = cursor;
    cursor = null;
    if (open != null) {
      try (Watch.Wait wait = watch(open)) {
        open.close(wait);
      }
    }
  }

  private <T> T attempt(Work<T> work) throws SQLException {
    JdbcRowCursor open = cursor == null ? begin() : cursor;
    cursor = open;
    try (Watch.Wait wait = watch(open)) {
      if (!open.isOpen()) {
        open.open(check);
      }
      T result = work.read(open);
      rest = open.left();
      if (open.isComplete()) {
        cursor = null;
        open.close(wait);
      }
      return result;
    } catch (SQLException | SourceBehindException e) {
      cursor = null;
      hasBroken = true;
      // what state the connection is in isn't known any more
      open.discard(e);
      throw e;
    }
  }

  /** A piece's wait isn't the range's. */
  private JdbcRowCursor begin() throws SQLException {
    return database.begin(rest.orElseThrow(), hasBroken ? SessionWaits.UNKNOWN : waits.sql());
  }

  private Watch.Wait watch(JdbcRowCursor open) {
    return database.watch(purpose, open.statement(), open.lease(), () -> isCancelled);
  }

  /** The failure itself, where the rest can be read by another cursor. */
  private SQLException broken(SQLException failure) {
    if (isCancelled) {
      throw Interruption.of(purpose.what(), failure);
    }
    if (rest.isEmpty() && database.mayPass(failure)) {
      throw database.unrepeatable(
          purpose,
          ". What is left can't be told from the rows read, because "
              + obstacle
              + ": the task has to begin again",
          failure);
    }
    return failure;
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.TransactionEvent;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session's transactions: explicit, implicit, or one per statement. */
final class Transactions implements AutoCloseable {
  private static final int SNAPSHOT = 6;

  private final Session session;
  private final Connections connections = new Connections();
  private final AtomicLong ids = new AtomicLong();
  private final Supplier<SessionOptions> options;
  private @Nullable Transaction current;

  /** The transaction of a single statement in autocommit; null between statements. */
  private @Nullable Transaction single;

  private @Nullable String startedUnder;

  Transactions(Session session, Supplier<SessionOptions> options) {
    this.session = session;
    this.options = options;
  }

  /** As {@code @@TRANCOUNT}. */
  int nesting() {
    return current == null ? 0 : current.nesting();
  }

  boolean hasChanges() {
    return current != null && current.hasChanges();
  }

  void begin(ResponseSink out) {
    if (current == null) {
      start(out);
      if (!options.get().implicitTransactions()) {
        return;
      }
    }
    current.enter();
  }

  private void start(ResponseSink out) {
    current = new Transaction(ids.incrementAndGet(), session.clock().local());
    out.transaction(TransactionEvent.BEGIN, current.id());
  }

  /** What a statement that touches tables runs in; with implicit transactions it begins one. */
  Transaction enter(ResponseSink out) {
    if (current == null && options.get().implicitTransactions()) {
      start(out);
    }
    if (current != null) {
      return current;
    }
    if (single == null) {
      single = new Transaction(ids.incrementAndGet(), session.clock().local());
    }
    return single;
  }

  /** Ends a statement's own transaction, if it has one. */
  void leave(boolean keep) throws SqlServerError {
    Transaction ending = single;
    if (ending != null) {
      single = null;
      end(ending, keep);
    }
  }

  /** Storage's connection for a statement in the current transaction, at the session's level. */
  Connection connection(Database database) throws SQLException, SqlServerError {
    Connection connection = connections.of(database);
    String level = options.get().isolation();
    if (startedUnder == null) {
      if (level.equals("SNAPSHOT") && !database.snapshotAllowed()) {
        throw new SqlServerError(
            3952,
            16,
            1,
            "Snapshot isolation transaction failed accessing database '"
                + database.name()
                + "' because snapshot isolation is not allowed in this database. Use ALTER"
                + " DATABASE to allow snapshot isolation.");
      }
      connection.setTransactionIsolation(h2Level(level));
      startedUnder = level;
    } else if (level.equals("SNAPSHOT") && !startedUnder.equals("SNAPSHOT")) {
      throw new SqlServerError(
          3951,
          16,
          1,
          "Transaction failed in database '"
              + database.name()
              + "' because the statement was run under snapshot isolation but the transaction did"
              + " not start in snapshot isolation.");
    }
    return connection;
  }

  private static int h2Level(String level) {
    return switch (level) {
      case "SNAPSHOT" -> SNAPSHOT;
      case "READ UNCOMMITTED" -> Connection.TRANSACTION_READ_UNCOMMITTED;
      case "REPEATABLE READ" -> Connection.TRANSACTION_REPEATABLE_READ;
      case "SERIALIZABLE" -> Connection.TRANSACTION_SERIALIZABLE;
      default -> Connection.TRANSACTION_READ_COMMITTED;
    };
  }

  /**
   * Lets go of what a query has locked in storage, as READ COMMITTED does at the end of each
   * statement: so that others may change the table's structure while this transaction is open.
   */
  void releaseReads(Database database) throws SQLException {
    boolean reading =
        current != null
            && current.savepoints() == 0
            && current.changes(database).isEmpty()
            && startedUnder != null
            && startedUnder.startsWith("READ");
    if (reading) {
      connections.of(database).commit();
    }
  }

  boolean isSnapshot() {
    return options.get().isolation().equals("SNAPSHOT");
  }

  void commit(ResponseSink out) throws SqlServerError {
    Transaction ending = current;
    if (ending == null) {
      throw new SqlServerError(
          3902, 16, 1, "The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.");
    }
    if (ending.leave() == 0) {
      current = null;
      end(ending, true);
      out.transaction(TransactionEvent.COMMIT, ending.id());
    }
  }

  void rollback(@Nullable String savepoint, ResponseSink out) throws SqlServerError {
    Transaction ending = current;
    if (ending == null) {
      throw new SqlServerError(
          3903, 16, 1, "The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.");
    }
    if (savepoint != null && rollbackTo(savepoint, ending)) {
      return;
    }
    current = null;
    end(ending, false);
    out.transaction(TransactionEvent.ROLLBACK, ending.id());
  }

  private boolean rollbackTo(String savepoint, Transaction transaction) throws SqlServerError {
    try {
      return transaction.rollback(savepoint, connections);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to roll back to " + savepoint, e);
    }
  }

  void save(String name) throws SqlServerError {
    if (current == null) {
      throw new SqlServerError(
          628, 16, 0, "Cannot issue SAVE TRANSACTION when there is no active" + " transaction.");
    }
    try {
      current.save(name, connections);
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to save " + name, e);
    }
  }

  /** Rolls back whatever is open, after an error that ends the transaction. */
  void abort(ResponseSink out) throws SqlServerError {
    leave(false);
    if (current != null) {
      rollback(null, out);
    }
  }

  private void end(Transaction transaction, boolean keep) {
    startedUnder = null;
    try {
      for (Database database : connections.open()) {
        Connection connection = connections.of(database);
        if (keep) {
          database.commit(connection, transaction.beganAt(), transaction.changes(database));
        } else {
          connection.rollback();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to end a transaction: " + e.getMessage(), e);
    } finally {
      connections.open().forEach(database -> database.locks().release(session));
    }
  }

  void forget(Database database) throws SQLException {
    connections.forget(database);
  }

  @Override
  public void close() {
    current = null;
    single = null;
    connections.open().forEach(database -> database.locks().release(session));
    connections.close();
  }
}

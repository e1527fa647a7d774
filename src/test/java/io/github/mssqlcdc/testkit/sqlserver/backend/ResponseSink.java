package io.github.mssqlcdc.testkit.sqlserver.backend;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a request's results in the order in which they arise. A statement is either {@code columns,
 * row*, done} or {@code done} alone, or ends in {@code error}. Not thread-safe.
 */
public interface ResponseSink {

  void columns(List<Column> columns);

  /**
   * A row; values as {@link SqlTypeName#valueClass()}, null for NULL.
   *
   * @return false once the client has cancelled: send nothing more
   */
  boolean row(@Nullable Object[] values);

  /**
   * A row that is a token of the wire already; {@code tds.RowEncoder} makes them.
   *
   * @return as {@link #row}
   */
  default boolean encodedRow(byte[] token) {
    throw new UnsupportedOperationException("Cannot take encoded rows");
  }

  /** End of a statement; the count is the rows sent or changed, -1 for none (SET NOCOUNT ON). */
  void done(StatementKind kind, long count);

  void error(SqlServerError error);

  /** PRINT, and errors of severity 10 or less. */
  void info(int number, String message);

  /** The session is in another database now (USE). */
  void databaseChanged(String database);

  /** A transaction has begun, committed or rolled back, from 8, 9, 10 of ENVCHANGE. */
  void transaction(TransactionEvent event, long id);

  /** Value of an output parameter, by its name in the request. */
  void returnValue(String name, DataType type, @Nullable Object value);

  /** A procedure's return code. */
  void returnStatus(int status);

  enum StatementKind {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    MERGE,
    OTHER
  }

  enum TransactionEvent {
    BEGIN,
    COMMIT,
    ROLLBACK
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;

/** H2's errors as SQL Server's. What has no counterpart is told as the stand-in's own failure. */
final class H2Errors {
  private static final Pattern CONSTRAINT = Pattern.compile("\"[^.]+\\.\"*(.+?)\\$(\\d+)");
  private static final Pattern COLUMN = Pattern.compile("column \"([^\" ]+)");

  private final String database;
  private final Catalog catalog;

  H2Errors(String database, Catalog catalog) {
    this.database = database;
    this.catalog = catalog;
  }

  static boolean isLockTimeout(SQLException e) {
    return e.getErrorCode() == ErrorCode.LOCK_TIMEOUT_1;
  }

  static boolean isCancelled(SQLException e) {
    return e.getErrorCode() == ErrorCode.STATEMENT_WAS_CANCELED;
  }

  /**
   * @param target the table that the statement changes; empty for a query
   * @param snapshot whether it ran under SNAPSHOT
   */
  SqlServerError translate(SQLException e, Optional<Table> target, boolean snapshot) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SqlServerError error) {
        return error;
      }
    }
    String table = target.map(t -> database + "." + t.schema() + "." + t.name()).orElse("");
    return switch (e.getErrorCode()) {
      case ErrorCode.DUPLICATE_KEY_1 -> duplicate(e);
      case ErrorCode.NULL_NOT_ALLOWED ->
          new SqlServerError(
              515,
              16,
              2,
              "Cannot insert the value NULL into column '"
                  + column(e)
                  + "', table '"
                  + table
                  + "'; column does not allow nulls. The statement fails.");
      case ErrorCode.VALUE_TOO_LONG_2 ->
          new SqlServerError(
              2628,
              16,
              1,
              "String or binary data would be truncated in table '"
                  + table
                  + "', column '"
                  + column(e)
                  + "'.");
      case ErrorCode.DIVISION_BY_ZERO_1 ->
          new SqlServerError(8134, 16, 1, "Divide by zero error encountered.");
      case ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_1, ErrorCode.NUMERIC_VALUE_OUT_OF_RANGE_2 ->
          new SqlServerError(
              8115, 16, 2, "Arithmetic overflow error converting expression to data type.");
      case ErrorCode.SCALAR_SUBQUERY_CONTAINS_MORE_THAN_ONE_ROW ->
          new SqlServerError(
              512,
              16,
              1,
              "Subquery returned more than 1 value. This is not permitted when the subquery"
                  + " follows =, !=, <, <= , >, >= or when the subquery is used as an expression.");
      case ErrorCode.DEADLOCK_1, ErrorCode.CONCURRENT_UPDATE_1 ->
          snapshot ? snapshotConflict(table) : deadlock();
      default ->
          new SqlServerError(50000, 16, 1, "Stand-in: H2 refused the statement: " + e.getMessage());
    };
  }

  private SqlServerError snapshotConflict(String table) {
    return new SqlServerError(
        3960,
        16,
        2,
        "Snapshot isolation transaction aborted due to update conflict. You cannot use snapshot"
            + " isolation to access table '"
            + table
            + "' directly or indirectly in database '"
            + database
            + "' to update, delete, or insert the row that has been modified or deleted by another"
            + " transaction.");
  }

  static SqlServerError deadlock() {
    return new SqlServerError(
        1205,
        13,
        51,
        "Transaction was deadlocked on lock resources with another process and has been chosen as"
            + " the deadlock victim. Rerun the transaction.");
  }

  static SqlServerError lockTimeout() {
    return new SqlServerError(1222, 16, 51, "Lock request time out period exceeded.");
  }

  private SqlServerError duplicate(SQLException e) {
    Matcher matcher = CONSTRAINT.matcher(String.valueOf(e.getMessage()));
    if (!matcher.find()) {
      return new SqlServerError(2627, 14, 1, "Violation of UNIQUE KEY constraint.");
    }
    String name = matcher.group(1);
    Optional<Table> table = catalog.table(Integer.parseInt(matcher.group(2)));
    String object = table.map(t -> t.schema() + "." + t.name()).orElse("");
    Optional<Table.Index> index = table.flatMap(t -> t.index(name));
    if (index.isPresent() && !index.get().constraint()) {
      return new SqlServerError(
          2601,
          14,
          1,
          "Cannot insert duplicate key row in object '"
              + object
              + "' with unique index '"
              + name
              + "'.");
    }
    String kind = index.map(Table.Index::primaryKey).orElse(false) ? "PRIMARY" : "UNIQUE";
    return new SqlServerError(
        2627,
        14,
        1,
        "Violation of "
            + kind
            + " KEY constraint '"
            + name
            + "'. Cannot insert duplicate key in object '"
            + object
            + "'.");
  }

  private static String column(SQLException e) {
    Matcher matcher = COLUMN.matcher(String.valueOf(e.getMessage()));
    return matcher.find() ? matcher.group(1) : "";
  }
}

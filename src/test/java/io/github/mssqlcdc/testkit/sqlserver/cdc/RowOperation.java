package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import org.jspecify.annotations.Nullable;

/**
 * One logged change of a row.
 *
 * @param table as it was when the row was changed
 * @param sequence LSN of the log record
 * @param sameCommand belongs to the same command as the operation before it
 */
record RowOperation(
    TableInfo table,
    Kind kind,
    @Nullable Object @Nullable [] before,
    @Nullable Object @Nullable [] after,
    LogLsn sequence,
    boolean sameCommand) {

  enum Kind {
    DELETE,
    INSERT,
    UPDATE
  }
}

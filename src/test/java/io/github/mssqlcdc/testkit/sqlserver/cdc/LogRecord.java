package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.CommitListener.Commit;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;

/** What the scan finds in the log, in LSN order. */
sealed interface LogRecord {
  LogLsn lsn();

  /** A transaction that changed tracked tables. */
  record Committed(LogLsn lsn, LogLsn begin, Commit commit, List<RowOperation> operations)
      implements LogRecord {}

  /** A capture instance was created by the transaction that committed at this LSN. */
  record InstanceEnabled(LogLsn lsn, CaptureInstance instance) implements LogRecord {}

  /**
   * A tracked table was altered.
   *
   * @param retyped the new types of columns that have another one now, by their ids
   */
  record TableAltered(
      LogLsn lsn,
      LogLsn begin,
      int tableId,
      String command,
      LocalDateTime at,
      Map<Integer, DataType> retyped)
      implements LogRecord {}
}

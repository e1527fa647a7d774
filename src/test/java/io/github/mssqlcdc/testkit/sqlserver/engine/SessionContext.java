package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.List;

/** Who calls, and from which database. */
public interface SessionContext {
  DatabaseStore database();

  /** Member of db_owner in the current database, or sysadmin. */
  boolean isDbOwner();

  boolean isSysadmin();

  boolean isMember(String role);

  /** Waits until no other session has uncommitted changes in the table. */
  void awaitWriters(int tableId) throws SqlServerError;

  /** Whether the caller may SELECT these columns of a table, as far as they are still there. */
  boolean canSelect(int tableId, List<String> columns);
}

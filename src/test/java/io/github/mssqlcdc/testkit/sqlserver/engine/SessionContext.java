package io.github.mssqlcdc.testkit.sqlserver.engine;

/** Who calls, and from which database. */
public interface SessionContext {
  DatabaseStore database();

  /** Member of db_owner in the current database, or sysadmin. */
  boolean isDbOwner();

  boolean isSysadmin();

  boolean isMember(String role);

  /** Whether the caller may SELECT every column of this table. */
  boolean canSelect(int tableId);
}

package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.SessionContext;
import java.util.List;
import java.util.Set;

/** A session with the rights it is given. */
record Caller(
    DatabaseStore database,
    boolean isSysadmin,
    boolean isDbOwner,
    Set<String> roles,
    Set<Integer> readable)
    implements SessionContext {

  static Caller sysadmin(DatabaseStore database) {
    return new Caller(database, true, true, Set.of(), Set.of());
  }

  static Caller user(DatabaseStore database) {
    return new Caller(database, false, false, Set.of(), Set.of());
  }

  Caller withRole(String role) {
    return new Caller(database, isSysadmin, isDbOwner, Set.of(role), readable);
  }

  Caller withSelect(int tableId) {
    return new Caller(database, isSysadmin, isDbOwner, roles, Set.of(tableId));
  }

  @Override
  public boolean isMember(String role) {
    return roles.contains(role);
  }

  @Override
  public void awaitWriters(int tableId) {}

  @Override
  public boolean canSelect(int tableId, List<String> columns) {
    return readable.contains(tableId);
  }
}

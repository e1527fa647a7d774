package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Security;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session in a database, and what it may do there. */
final class CallerContext implements SessionContext {
  private final Session session;
  private final Database database;

  CallerContext(Session session, Database database) {
    this.session = session;
    this.database = database;
  }

  @Override
  public DatabaseStore database() {
    return database;
  }

  private Security security() {
    return database.catalog().security();
  }

  /** The user here; empty: none, as in master for most. */
  private Optional<String> user() {
    return security().userOf(session.login());
  }

  String userName() {
    return isSysadmin() ? "dbo" : user().orElse("guest");
  }

  @Override
  public boolean isSysadmin() {
    return session.sysadmin();
  }

  @Override
  public boolean isDbOwner() {
    return isSysadmin()
        || user().map(name -> security().isMember(name, Security.OWNER)).orElse(false);
  }

  @Override
  public boolean isMember(String role) {
    return isSysadmin() || user().map(name -> security().isMember(name, role)).orElse(false);
  }

  @Override
  public void awaitWriters(int tableId) throws SqlServerError {
    database
        .locks()
        .awaitReadable(session, tableId, session.options().lockTimeoutMs(), session::cancelled);
    session.checkCancelled();
  }

  @Override
  public boolean canSelect(int tableId, List<String> columns) {
    Optional<Table> table = database.catalog().table(tableId);
    return table.isPresent()
        && table.get().columns().stream()
            .filter(column -> columns.stream().anyMatch(column.name()::equalsIgnoreCase))
            .allMatch(column -> holds("SELECT", table.get(), column.name()));
  }

  /** Whether the caller holds a permission on a table, or on this column of it. */
  boolean holds(String permission, Table table, @Nullable String column) {
    if (isSysadmin()) {
      return true;
    }
    String principal = user().orElse("public");
    return security().allows(principal, permission, table, column);
  }

  boolean holdsOnDatabase(String permission) {
    return isSysadmin()
        || user().map(name -> security().allowsOnDatabase(name, permission)).orElse(false);
  }

  List<String> roles() {
    List<String> roles = new ArrayList<>();
    for (String role : security().roles()) {
      if (isMember(role)) {
        roles.add(role);
      }
    }
    return roles;
  }
}

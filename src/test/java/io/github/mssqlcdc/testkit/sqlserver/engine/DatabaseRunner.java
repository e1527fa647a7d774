package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** CREATE, ALTER and DROP DATABASE. */
final class DatabaseRunner {
  private static final int SYSTEM_DATABASES = 4;

  private final Session session;

  DatabaseRunner(Session session) {
    this.session = session;
  }

  /** False if it is none of these. */
  boolean run(Definition definition) throws SqlServerError {
    if (definition instanceof Definition.CreateDatabase create) {
      create(create);
    } else if (definition instanceof Definition.AlterDatabase alter) {
      alter(alter);
    } else if (definition instanceof Definition.DropDatabase drop) {
      for (String name : drop.names()) {
        drop(name, drop);
      }
    } else {
      return false;
    }
    return true;
  }

  private void create(Definition.CreateDatabase create) throws SqlServerError {
    if (!session.sysadmin()) {
      throw new SqlServerError(
          262, 14, 1, "CREATE DATABASE permission denied in database 'master'.");
    }
    if (session.engine().databases().create(create.name(), create.collation()).isEmpty()) {
      throw new SqlServerError(
          1801,
          16,
          3,
          "Database '" + create.name() + "' already exists. Choose a different database name.");
    }
  }

  private Database find(String name) throws SqlServerError {
    if (name.isEmpty()) {
      return session.current();
    }
    return session
        .engine()
        .databases()
        .find(name)
        .orElseThrow(
            () ->
                new SqlServerError(
                    5011,
                    14,
                    5,
                    "User does not have permission to alter database '"
                        + name
                        + "', the database does not exist, or the database is not in a state that"
                        + " allows access checks."));
  }

  private void alter(Definition.AlterDatabase alter) throws SqlServerError {
    Database database = find(alter.name());
    if (!new CallerContext(session, database).isDbOwner()) {
      throw new SqlServerError(
          5011,
          14,
          9,
          "User does not have permission to alter database '" + database.name() + "'.");
    }
    boolean on = alter.value().equals("ON");
    switch (alter.option()) {
      case "ALLOW_SNAPSHOT_ISOLATION" -> database.allowSnapshot(on);
      case "READ_COMMITTED_SNAPSHOT" -> database.setReadCommittedSnapshot(on);
      case "SINGLE_USER" -> killOthers(database);
      case "MULTI_USER", "RECOVERY", "COMPATIBILITY_LEVEL", "AUTO_CLOSE" -> {}
      default -> throw Errors.badSyntax(alter.option());
    }
  }

  private void killOthers(Database database) {
    for (Session other : session.engine().sessions()) {
      if (other != session && other.current() == database) {
        other.kill();
      }
    }
  }

  private void drop(String name, Definition.DropDatabase drop) throws SqlServerError {
    Optional<Database> found = session.engine().databases().find(name);
    if (found.isEmpty() && drop.ifExists()) {
      return;
    }
    if (found.isEmpty() || !session.sysadmin() || found.get().id() <= SYSTEM_DATABASES) {
      throw new SqlServerError(
          3701,
          11,
          1,
          "Cannot drop the database '"
              + name
              + "', because it does not exist or you do not have permission.");
    }
    Database database = found.get();
    List<Session> others = session.engine().sessions();
    if (others.stream().anyMatch(other -> other.current() == database && !other.killed())) {
      throw new SqlServerError(
          3702, 16, 3, "Cannot drop database \"" + name + "\" because it is currently in use.");
    }
    try {
      for (Session other : others) {
        other.forget(database);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Failed to leave database " + name, e);
    }
    session.engine().databases().drop(database);
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Security;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Translator;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.util.Locale;

/** Logins, users, roles and grants. */
final class PrincipalRunner {
  private final Session session;
  private final SessionEnvironment environment;

  PrincipalRunner(Session session, SessionEnvironment environment) {
    this.session = session;
    this.environment = environment;
  }

  private Security security() {
    return session.current().catalog().security();
  }

  /** False if it is none of these. */
  boolean run(Definition definition) throws SqlServerError {
    if (definition instanceof Definition.CreateLogin create) {
      requireSysadmin();
      requireNew(
          session.engine().logins().add(create.name(), create.password(), create.defaultDatabase()),
          15025,
          "The server principal '" + create.name() + "' already exists.");
    } else if (definition instanceof Definition.DropLogin drop) {
      requireSysadmin();
      requireFound(session.engine().logins().drop(drop.name()), "login", drop.name());
    } else if (definition instanceof Definition.CreateUser create) {
      requireOwner();
      createUser(create);
    } else if (definition instanceof Definition.DropUser drop) {
      requireOwner();
      boolean dropped = security().dropUser(drop.name());
      requireFound(dropped || drop.ifExists(), "user", drop.name());
    } else if (definition instanceof Definition.CreateRole create) {
      requireOwner();
      requireNew(security().addRole(create.name()), 15023, exists(create.name()));
    } else if (definition instanceof Definition.DropRole drop) {
      requireOwner();
      boolean dropped = security().dropRole(drop.name());
      requireFound(dropped || drop.ifExists(), "role", drop.name());
    } else if (definition instanceof Definition.AlterRole alter) {
      alterRole(alter);
    } else if (definition instanceof Definition.Permission permission) {
      requireOwner();
      permission(permission);
    } else {
      return false;
    }
    return true;
  }

  private static String exists(String name) {
    return "User, group, or role '" + name + "' already exists in the current database.";
  }

  private void requireSysadmin() throws SqlServerError {
    if (!session.sysadmin()) {
      throw new SqlServerError(
          15247, 16, 1, "User does not have permission to perform this action.");
    }
  }

  private void requireOwner() throws SqlServerError {
    if (!environment.isOwner()) {
      throw new SqlServerError(
          15247, 16, 1, "User does not have permission to perform this action.");
    }
  }

  private static void requireNew(boolean added, int number, String message) throws SqlServerError {
    if (!added) {
      throw new SqlServerError(number, 16, 1, message);
    }
  }

  private static void requireFound(boolean found, String kind, String name) throws SqlServerError {
    if (!found) {
      throw new SqlServerError(
          15151,
          16,
          1,
          "Cannot drop the "
              + kind
              + " '"
              + name
              + "', because it does not exist or you do not have permission.");
    }
  }

  private void createUser(Definition.CreateUser create) throws SqlServerError {
    String login = create.login();
    if (login != null && session.engine().logins().find(login).isEmpty()) {
      throw new SqlServerError(
          15007, 16, 1, "'" + login + "' is not a valid login or you do not have permission.");
    }
    requireNew(security().addUser(create.name(), login), 15023, exists(create.name()));
  }

  private void alterRole(Definition.AlterRole alter) throws SqlServerError {
    if (alter.server()) {
      requireSysadmin();
      if (!alter.role().equalsIgnoreCase("sysadmin")) {
        throw notFound(alter.role());
      }
      session.engine().logins().setSysadmin(alter.member(), alter.add());
      return;
    }
    requireOwner();
    if (!security().isRole(alter.role())) {
      throw notFound(alter.role());
    }
    if (!security().isPrincipal(alter.member())) {
      throw notFound(alter.member());
    }
    if (alter.add()) {
      security().addMember(alter.role(), alter.member());
    } else {
      security().dropMember(alter.role(), alter.member());
    }
  }

  private static SqlServerError notFound(String name) {
    return new SqlServerError(
        15151,
        16,
        1,
        "Cannot find the user or role '"
            + name
            + "', because it does not exist or you do not have permission.");
  }

  private void permission(Definition.Permission permission) throws SqlServerError {
    String securable = securable(permission.on());
    for (String principal : permission.principals()) {
      if (!security().isPrincipal(principal)) {
        throw notFound(principal);
      }
      for (String name : permission.permissions()) {
        security().record(permission.verb(), name, principal, securable, permission.columns());
      }
    }
  }

  private String securable(Definition.Securable on) throws SqlServerError {
    return switch (on.kind()) {
      case "SCHEMA" -> {
        String schema = on.name().get(0);
        if (session.current().catalog().schema(schema).isEmpty()) {
          throw notFound(schema);
        }
        yield "S" + schema.toLowerCase(Locale.ROOT);
      }
      case "DATABASE" -> "D";
      default -> {
        Table table = new Translator(environment).table(on.name());
        yield "O" + table.objectId();
      }
    };
  }
}

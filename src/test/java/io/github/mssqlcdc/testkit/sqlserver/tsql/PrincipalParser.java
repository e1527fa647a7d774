package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;

/** Parses CREATE, ALTER and DROP of logins, users and roles. */
final class PrincipalParser {
  private final Tokens tokens;

  PrincipalParser(Tokens tokens) {
    this.tokens = tokens;
  }

  Statement create() throws SqlServerError {
    if (tokens.accept("LOGIN")) {
      return createLogin();
    }
    if (tokens.accept("USER")) {
      return createUser();
    }
    tokens.expect("ROLE");
    Definition role = new Definition.CreateRole(tokens.expectName());
    if (tokens.accept("AUTHORIZATION")) {
      tokens.expectName();
    }
    return role;
  }

  private Statement createLogin() throws SqlServerError {
    String name = tokens.expectName();
    tokens.expect("WITH", "PASSWORD");
    tokens.expectOperator("=");
    String password = tokens.expectString();
    String database = null;
    while (tokens.acceptOperator(",")) {
      String option = tokens.expectWord();
      tokens.expectOperator("=");
      switch (option) {
        case "DEFAULT_DATABASE" -> database = tokens.expectName();
        case "CHECK_POLICY", "CHECK_EXPIRATION" -> tokens.expectWord();
        default -> throw tokens.unexpected();
      }
    }
    return new Definition.CreateLogin(name, password, database);
  }

  private Statement createUser() throws SqlServerError {
    String name = tokens.expectName();
    if (tokens.accept("WITHOUT", "LOGIN")) {
      return new Definition.CreateUser(name, null);
    }
    String login = name;
    if (tokens.accept("FOR", "LOGIN") || tokens.accept("FROM", "LOGIN")) {
      login = tokens.expectName();
    }
    if (tokens.accept("WITH", "DEFAULT_SCHEMA")) {
      tokens.expectOperator("=");
      if (!tokens.expectName().equalsIgnoreCase("dbo")) {
        throw tokens.unexpected();
      }
    }
    return new Definition.CreateUser(name, login);
  }

  Statement alter() throws SqlServerError {
    boolean server = tokens.accept("SERVER");
    tokens.expect("ROLE");
    String role = tokens.expectName();
    boolean add = tokens.accept("ADD");
    if (!add) {
      tokens.expect("DROP");
    }
    tokens.expect("MEMBER");
    return new Definition.AlterRole(role, tokens.expectName(), add, server);
  }

  Statement drop() throws SqlServerError {
    if (tokens.accept("LOGIN")) {
      return new Definition.DropLogin(tokens.expectName());
    }
    boolean user = tokens.accept("USER");
    if (!user) {
      tokens.expect("ROLE");
    }
    boolean ifExists = tokens.accept("IF", "EXISTS");
    String name = tokens.expectName();
    return user ? new Definition.DropUser(name, ifExists) : new Definition.DropRole(name, ifExists);
  }
}

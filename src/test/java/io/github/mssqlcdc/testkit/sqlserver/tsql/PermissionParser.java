package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parses GRANT, DENY and REVOKE. */
final class PermissionParser {
  private static final Set<String> KNOWN =
      Set.of(
          "SELECT",
          "INSERT",
          "UPDATE",
          "DELETE",
          "EXECUTE",
          "ALTER",
          "CONTROL",
          "CONNECT",
          "REFERENCES",
          "VIEW DEFINITION",
          "VIEW DATABASE STATE",
          "VIEW DATABASE PERFORMANCE STATE",
          "VIEW SERVER STATE",
          "CREATE TABLE");

  private final Tokens tokens;

  PermissionParser(Tokens tokens) {
    this.tokens = tokens;
  }

  Statement parse() throws SqlServerError {
    Definition.Verb verb = Definition.Verb.valueOf(tokens.expectWord());
    Set<String> permissions = new LinkedHashSet<>();
    do {
      permissions.add(permission());
    } while (tokens.acceptOperator(","));
    List<String> columns = List.of();
    Definition.Securable on = new Definition.Securable("DATABASE", List.of());
    if (tokens.isOperator("(")) {
      columns = tokens.expectNames();
    }
    if (tokens.accept("ON")) {
      on = securable();
    }
    if (columns.isEmpty() && tokens.isOperator("(")) {
      columns = tokens.expectNames();
    }
    return new Definition.Permission(verb, permissions, columns, on, principals(verb));
  }

  private List<String> principals(Definition.Verb verb) throws SqlServerError {
    if (verb != Definition.Verb.REVOKE || !tokens.accept("FROM")) {
      tokens.expect("TO");
    }
    List<String> principals = new ArrayList<>();
    do {
      principals.add(tokens.isWord("PUBLIC") ? tokens.next().value() : tokens.expectName());
    } while (tokens.acceptOperator(","));
    return principals;
  }

  private String permission() throws SqlServerError {
    StringBuilder words = new StringBuilder(tokens.expectWord());
    while (tokens.peek().kind() == Token.Kind.WORD
        && !tokens.isWord("ON")
        && !tokens.isWord("TO")
        && !tokens.isWord("FROM")) {
      words.append(' ').append(tokens.expectWord());
    }
    String permission = words.toString().toUpperCase(Locale.ROOT);
    if (permission.equals("EXEC")) {
      return "EXECUTE";
    }
    if (!KNOWN.contains(permission)) {
      throw tokens.unexpected();
    }
    return permission;
  }

  private Definition.Securable securable() throws SqlServerError {
    if (!tokens.peek(1).isOperator("::")) {
      return new Definition.Securable("OBJECT", tokens.expectQualifiedName());
    }
    String kind = tokens.expectWord();
    tokens.expectOperator("::");
    if (!Set.of("OBJECT", "SCHEMA", "DATABASE").contains(kind)) {
      throw tokens.unexpected();
    }
    return new Definition.Securable(kind, tokens.expectQualifiedName());
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses SELECT, INSERT, UPDATE, DELETE and TRUNCATE. */
final class DataParser {
  private static final Set<String> QUERY_HINTS = Set.of("RECOMPILE", "MAXDOP", "MAXRECURSION");

  private final Tokens tokens;
  private final QueryParser queries;
  private final ExpressionParser expressions;

  DataParser(Tokens tokens, QueryParser queries) {
    this.tokens = tokens;
    this.queries = queries;
    this.expressions = queries.expressions();
  }

  Statement select() throws SqlServerError {
    Query query = queries.parse();
    options();
    return new Statement.Select(query);
  }

  Statement withCommonTables() throws SqlServerError {
    tokens.expect("WITH");
    List<Query.CommonTable> with = queries.commonTables();
    if (tokens.isWord("INSERT")) {
      return insert(with);
    }
    if (!queries.startsQuery()) {
      throw tokens.unexpected();
    }
    Query query = queries.parse(with);
    options();
    return new Statement.Select(query);
  }

  Statement insert(List<Query.CommonTable> with) throws SqlServerError {
    tokens.expect("INSERT");
    tokens.accept("INTO");
    List<String> table = tokens.expectQualifiedName();
    queries.from().hints();
    List<String> columns =
        tokens.isOperator("(") && !queries.startsQuery() ? tokens.expectNames() : List.of();
    if (with.isEmpty() && tokens.accept("DEFAULT", "VALUES")) {
      return new Statement.Insert(table, columns, null);
    }
    if (with.isEmpty() && tokens.accept("VALUES")) {
      return new Statement.Insert(table, columns, new Statement.Rows(queries.from().rows()));
    }
    if (!queries.startsQuery()) {
      throw tokens.unexpected();
    }
    Query query = queries.parse(with);
    options();
    return new Statement.Insert(table, columns, new Statement.FromQuery(query));
  }

  Statement update() throws SqlServerError {
    tokens.expect("UPDATE");
    List<String> table = tokens.expectQualifiedName();
    queries.from().hints();
    tokens.expect("SET");
    List<Statement.Assignment> assignments = new ArrayList<>();
    do {
      assignments.add(assignment());
    } while (tokens.acceptOperator(","));
    Condition where = where();
    options();
    return new Statement.Update(table, assignments, where);
  }

  private Statement.Assignment assignment() throws SqlServerError {
    List<String> name = tokens.expectQualifiedName();
    String column = name.get(name.size() - 1);
    for (String operator : List.of("+", "-", "*", "/", "%")) {
      if (tokens.acceptOperator(operator + "=")) {
        Expression old = new Expression.Name(List.of(column));
        return new Statement.Assignment(
            column, new Expression.Binary(operator, old, expressions.parse()));
      }
    }
    tokens.expectOperator("=");
    Expression value = tokens.accept("DEFAULT") ? new Expression.Default() : expressions.parse();
    return new Statement.Assignment(column, value);
  }

  Statement delete() throws SqlServerError {
    tokens.expect("DELETE");
    tokens.accept("FROM");
    List<String> table = tokens.expectQualifiedName();
    queries.from().hints();
    Condition where = where();
    options();
    return new Statement.Delete(table, where);
  }

  Statement truncate() throws SqlServerError {
    tokens.expect("TRUNCATE", "TABLE");
    return new Statement.Truncate(tokens.expectQualifiedName());
  }

  private Condition where() throws SqlServerError {
    return tokens.accept("WHERE") ? expressions.conditions().parse() : null;
  }

  /** {@code OPTION (…)}: hints for a planner that isn't here. */
  private void options() throws SqlServerError {
    if (!tokens.accept("OPTION")) {
      return;
    }
    tokens.expectOperator("(");
    do {
      if (!QUERY_HINTS.contains(tokens.peek().text().toUpperCase(java.util.Locale.ROOT))) {
        throw tokens.unexpected();
      }
      if (!tokens.expectWord().equals("RECOMPILE")) {
        tokens.expectInteger();
      }
    } while (tokens.acceptOperator(","));
    tokens.expectOperator(")");
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses query expressions. */
final class QueryParser {
  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final FromParser from;

  QueryParser(Tokens tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens, this);
    this.from = new FromParser(tokens, expressions, this);
  }

  ExpressionParser expressions() {
    return expressions;
  }

  FromParser from() {
    return from;
  }

  boolean startsQuery() {
    int ahead = 0;
    while (tokens.peek(ahead).isOperator("(")) {
      ahead++;
    }
    return tokens.peek(ahead).isWord("SELECT");
  }

  Query parse() throws SqlServerError {
    return parse(List.of());
  }

  /** The common table expressions of a WITH that has been taken. */
  List<Query.CommonTable> commonTables() throws SqlServerError {
    List<Query.CommonTable> tables = new ArrayList<>();
    do {
      String name = tokens.expectName();
      List<String> columns = tokens.isOperator("(") ? tokens.expectNames() : List.of();
      tokens.expect("AS");
      tokens.expectOperator("(");
      tables.add(new Query.CommonTable(name, columns, parse()));
      tokens.expectOperator(")");
    } while (tokens.acceptOperator(","));
    return tables;
  }

  Query parse(List<Query.CommonTable> with) throws SqlServerError {
    Query.Body body = union();
    List<Query.OrderItem> orderBy = tokens.accept("ORDER", "BY") ? orderItems() : List.of();
    Expression offset = null;
    Expression fetch = null;
    if (!orderBy.isEmpty() && tokens.accept("OFFSET")) {
      offset = expressions.parse();
      rowsWord();
      if (tokens.accept("FETCH")) {
        if (!tokens.accept("NEXT")) {
          tokens.expect("FIRST");
        }
        fetch = expressions.parse();
        rowsWord();
        tokens.expect("ONLY");
      }
    }
    return new Query(with, body, orderBy, offset, fetch);
  }

  private void rowsWord() throws SqlServerError {
    if (!tokens.accept("ROWS")) {
      tokens.expect("ROW");
    }
  }

  List<Query.OrderItem> orderItems() throws SqlServerError {
    List<Query.OrderItem> items = new ArrayList<>();
    do {
      Expression expression = expressions.parse();
      boolean descending = tokens.accept("DESC");
      if (!descending) {
        tokens.accept("ASC");
      }
      items.add(new Query.OrderItem(expression, descending));
    } while (tokens.acceptOperator(","));
    return items;
  }

  private Query.Body union() throws SqlServerError {
    Query.Body left = intersect();
    while (tokens.isWord("UNION") || tokens.isWord("EXCEPT")) {
      String operator = tokens.expectWord();
      if (operator.equals("UNION") && tokens.accept("ALL")) {
        operator = "UNION ALL";
      }
      left = new Query.SetOperation(operator, left, intersect());
    }
    return left;
  }

  private Query.Body intersect() throws SqlServerError {
    Query.Body left = block();
    while (tokens.accept("INTERSECT")) {
      left = new Query.SetOperation("INTERSECT", left, block());
    }
    return left;
  }

  private Query.Body block() throws SqlServerError {
    if (tokens.acceptOperator("(")) {
      Query query = parse();
      tokens.expectOperator(")");
      return new Query.Nested(query);
    }
    tokens.expect("SELECT");
    boolean distinct = tokens.accept("DISTINCT");
    if (!distinct) {
      tokens.accept("ALL");
    }
    Query.Top top = tokens.accept("TOP") ? top() : null;
    List<Query.Item> items = items();
    List<Query.TableSource> sources = tokens.accept("FROM") ? from.sources() : List.of();
    Condition where = tokens.accept("WHERE") ? expressions.conditions().parse() : null;
    List<Expression> groupBy = tokens.accept("GROUP", "BY") ? expressions.list() : List.of();
    Condition having = tokens.accept("HAVING") ? expressions.conditions().parse() : null;
    return new Query.Select(distinct, top, items, sources, where, groupBy, having);
  }

  private Query.Top top() throws SqlServerError {
    Expression rows;
    if (tokens.acceptOperator("(")) {
      rows = expressions.parse();
      tokens.expectOperator(")");
    } else {
      rows = new Expression.NumberLiteral(Integer.toString(tokens.expectInteger()));
    }
    return new Query.Top(rows, tokens.accept("PERCENT"), tokens.accept("WITH", "TIES"));
  }

  private List<Query.Item> items() throws SqlServerError {
    List<Query.Item> items = new ArrayList<>();
    do {
      items.add(item());
    } while (tokens.acceptOperator(","));
    return items;
  }

  private Query.Item item() throws SqlServerError {
    if (tokens.acceptOperator("*")) {
      return new Query.Star(List.of());
    }
    if (tokens.peek().kind() == Token.Kind.VARIABLE && tokens.peek(1).isOperator("=")) {
      String variable = tokens.expectVariable();
      tokens.expectOperator("=");
      return new Query.Assign(variable, expressions.parse());
    }
    Query.Star star = qualifiedStar();
    if (star != null) {
      return star;
    }
    if (tokens.peek().isName() && tokens.peek(1).isOperator("=")) {
      String alias = tokens.expectName();
      tokens.expectOperator("=");
      return new Query.Column(expressions.parse(), alias);
    }
    Expression expression = expressions.parse();
    return new Query.Column(expression, alias());
  }

  private Query.@Nullable Star qualifiedStar() {
    int mark = tokens.mark();
    List<String> qualifier = new ArrayList<>();
    while (tokens.peek().isName() && tokens.peek(1).isOperator(".")) {
      qualifier.add(tokens.next().value());
      tokens.next();
      if (tokens.acceptOperator("*")) {
        return new Query.Star(qualifier);
      }
    }
    tokens.reset(mark);
    return null;
  }

  private @Nullable String alias() throws SqlServerError {
    boolean as = tokens.accept("AS");
    if (as && tokens.peek().kind() == Token.Kind.STRING) {
      return tokens.expectString();
    }
    if (as) {
      return tokens.expectName();
    }
    return tokens.peek().isName() ? tokens.next().value() : null;
  }
}

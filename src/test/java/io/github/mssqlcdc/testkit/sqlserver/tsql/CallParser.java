package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses names, and calls with their special forms: CAST, CONVERT, IIF, OVER. */
final class CallParser {
  private static final Set<String> RESERVED_FUNCTIONS =
      Set.of("COALESCE", "NULLIF", "LEFT", "RIGHT", "CONVERT", "TRY_CONVERT");
  private static final Set<String> NILADIC =
      Set.of("CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final QueryParser queries;

  CallParser(Tokens tokens, ExpressionParser expressions, QueryParser queries) {
    this.tokens = tokens;
    this.expressions = expressions;
    this.queries = queries;
  }

  Expression nameOrCall() throws SqlServerError {
    Token first = tokens.peek();
    String word = first.text().toUpperCase(Locale.ROOT);
    if (first.isReserved()) {
      if (NILADIC.contains(word)) {
        tokens.next();
        return new Expression.Call(List.of(word), List.of(), false, false, null);
      }
      if (!RESERVED_FUNCTIONS.contains(word) || !tokens.peek(1).isOperator("(")) {
        throw tokens.unexpected();
      }
    } else if (first.kind() != Kind.WORD || !tokens.peek(1).isOperator("(")) {
      return qualified();
    }
    tokens.next();
    return switch (word) {
      case "CAST" -> cast(false);
      case "TRY_CAST" -> cast(true);
      case "CONVERT" -> convert(false);
      case "TRY_CONVERT" -> convert(true);
      case "IIF" -> iif();
      default -> call(List.of(first.value()));
    };
  }

  private Expression qualified() throws SqlServerError {
    List<String> name = tokens.expectQualifiedName();
    return tokens.isOperator("(") ? call(name) : new Expression.Name(name);
  }

  private Expression call(List<String> name) throws SqlServerError {
    tokens.expectOperator("(");
    if (tokens.acceptOperator("*")) {
      tokens.expectOperator(")");
      return new Expression.Call(name, List.of(), false, true, over());
    }
    boolean distinct = tokens.accept("DISTINCT");
    if (!distinct) {
      tokens.accept("ALL");
    }
    List<Expression> arguments = tokens.isOperator(")") ? List.of() : expressions.list();
    tokens.expectOperator(")");
    return new Expression.Call(name, arguments, distinct, false, over());
  }

  private Expression.@Nullable Window over() throws SqlServerError {
    if (!tokens.accept("OVER")) {
      return null;
    }
    tokens.expectOperator("(");
    List<Expression> partitionBy =
        tokens.accept("PARTITION", "BY") ? expressions.list() : List.of();
    List<Query.OrderItem> orderBy = tokens.accept("ORDER", "BY") ? queries.orderItems() : List.of();
    String frame = frame();
    tokens.expectOperator(")");
    return new Expression.Window(partitionBy, orderBy, frame);
  }

  private @Nullable String frame() throws SqlServerError {
    if (!tokens.isWord("ROWS") && !tokens.isWord("RANGE")) {
      return null;
    }
    String unit = tokens.expectWord();
    if (!tokens.accept("BETWEEN")) {
      return unit + " " + frameBound();
    }
    String start = frameBound();
    tokens.expect("AND");
    return unit + " BETWEEN " + start + " AND " + frameBound();
  }

  private String frameBound() throws SqlServerError {
    if (tokens.accept("CURRENT", "ROW")) {
      return "CURRENT ROW";
    }
    String amount =
        tokens.accept("UNBOUNDED") ? "UNBOUNDED" : Integer.toString(tokens.expectInteger());
    String direction = tokens.expectWord();
    if (!direction.equals("PRECEDING") && !direction.equals("FOLLOWING")) {
      throw tokens.unexpected();
    }
    return amount + " " + direction;
  }

  private Expression cast(boolean lenient) throws SqlServerError {
    tokens.expectOperator("(");
    Expression operand = expressions.parse();
    tokens.expect("AS");
    DataType type = new TypeParser(tokens).parse(30);
    tokens.expectOperator(")");
    return new Expression.Cast(operand, type, null, lenient);
  }

  private Expression convert(boolean lenient) throws SqlServerError {
    tokens.expectOperator("(");
    DataType type = new TypeParser(tokens).parse(30);
    tokens.expectOperator(",");
    Expression operand = expressions.parse();
    Expression style = tokens.acceptOperator(",") ? expressions.parse() : null;
    tokens.expectOperator(")");
    return new Expression.Cast(operand, type, style, lenient);
  }

  private Expression iif() throws SqlServerError {
    tokens.expectOperator("(");
    Condition condition = expressions.conditions().parse();
    tokens.expectOperator(",");
    List<Expression> results = new ArrayList<>(expressions.list());
    tokens.expectOperator(")");
    if (results.size() != 2) {
      throw tokens.unexpected();
    }
    return new Expression.Case(
        List.of(new Expression.When(condition, results.get(0))), results.get(1));
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses scalar expressions, by precedence. */
final class ExpressionParser {
  private final Tokens tokens;
  private final QueryParser queries;
  private final ConditionParser conditions;
  private final CallParser calls;

  ExpressionParser(Tokens tokens, QueryParser queries) {
    this.tokens = tokens;
    this.queries = queries;
    this.conditions = new ConditionParser(tokens, this, queries);
    this.calls = new CallParser(tokens, this, queries);
  }

  ConditionParser conditions() {
    return conditions;
  }

  Expression parse() throws SqlServerError {
    Expression left = term();
    while (true) {
      String operator = acceptOneOf("+", "-", "&", "|", "^");
      if (operator == null) {
        return left;
      }
      left = new Expression.Binary(operator, left, term());
    }
  }

  List<Expression> list() throws SqlServerError {
    List<Expression> expressions = new ArrayList<>();
    do {
      expressions.add(parse());
    } while (tokens.acceptOperator(","));
    return expressions;
  }

  private Expression term() throws SqlServerError {
    Expression left = unary();
    while (true) {
      String operator = acceptOneOf("*", "/", "%");
      if (operator == null) {
        return left;
      }
      left = new Expression.Binary(operator, left, unary());
    }
  }

  private @Nullable String acceptOneOf(String... operators) {
    for (String operator : operators) {
      if (tokens.acceptOperator(operator)) {
        return operator;
      }
    }
    return null;
  }

  private Expression unary() throws SqlServerError {
    String operator = acceptOneOf("-", "+", "~");
    if (operator == null) {
      return collated();
    }
    if (operator.equals("-") && tokens.peek().kind() == Kind.NUMBER) {
      return new Expression.NumberLiteral("-" + tokens.next().text());
    }
    return new Expression.Unary(operator, unary());
  }

  private Expression collated() throws SqlServerError {
    Expression operand = primary();
    while (tokens.accept("COLLATE")) {
      operand = new Expression.Collate(operand, tokens.expectName());
    }
    return operand;
  }

  private Expression primary() throws SqlServerError {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case STRING -> new Expression.StringLiteral(tokens.next().value(), false);
      case UNICODE_STRING -> new Expression.StringLiteral(tokens.next().value(), true);
      case NUMBER -> new Expression.NumberLiteral(tokens.next().text());
      case BINARY -> new Expression.BinaryLiteral(tokens.next().value());
      case VARIABLE -> new Expression.Variable(tokens.next().text());
      case GLOBAL -> new Expression.GlobalVariable(tokens.next().text());
      case OPERATOR -> parenthesized();
      case WORD -> word();
      case QUOTED -> calls.nameOrCall();
      case END -> throw tokens.unexpected();
    };
  }

  private Expression parenthesized() throws SqlServerError {
    tokens.expectOperator("(");
    Expression inner = queries.startsQuery() ? new Expression.Subquery(queries.parse()) : parse();
    tokens.expectOperator(")");
    return inner;
  }

  private Expression word() throws SqlServerError {
    if (tokens.accept("NULL")) {
      return new Expression.NullLiteral();
    }
    if (tokens.accept("CASE")) {
      return caseExpression();
    }
    return calls.nameOrCall();
  }

  private Expression caseExpression() throws SqlServerError {
    Expression operand = tokens.isWord("WHEN") ? null : parse();
    List<Expression.When> whens = new ArrayList<>();
    while (tokens.accept("WHEN")) {
      Condition condition =
          operand == null ? conditions.parse() : new Condition.Comparison("=", operand, parse());
      tokens.expect("THEN");
      whens.add(new Expression.When(condition, parse()));
    }
    if (whens.isEmpty()) {
      throw tokens.unexpected();
    }
    Expression otherwise = tokens.accept("ELSE") ? parse() : null;
    tokens.expect("END");
    return new Expression.Case(whens, otherwise);
  }
}

package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition.Comparison;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses search conditions. */
final class ConditionParser {
  private static final Map<String, String> COMPARISONS =
      Map.of(
          "=", "=", "<>", "<>", "!=", "<>", "<", "<", "<=", "<=", ">", ">", ">=", ">=", "!<", ">=",
          "!>", "<=");
  private static final Set<String> AFTER_VALUE =
      Set.of("IS", "IN", "BETWEEN", "LIKE", "NOT", "COLLATE");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final QueryParser queries;

  ConditionParser(Tokens tokens, ExpressionParser expressions, QueryParser queries) {
    this.tokens = tokens;
    this.expressions = expressions;
    this.queries = queries;
  }

  Condition parse() throws SqlServerError {
    Condition left = conjunction();
    while (tokens.accept("OR")) {
      left = new Condition.Or(left, conjunction());
    }
    return left;
  }

  private Condition conjunction() throws SqlServerError {
    Condition left = negation();
    while (tokens.accept("AND")) {
      left = new Condition.And(left, negation());
    }
    return left;
  }

  private Condition negation() throws SqlServerError {
    return tokens.accept("NOT") ? new Condition.Not(negation()) : predicate();
  }

  private Condition predicate() throws SqlServerError {
    if (tokens.accept("EXISTS")) {
      tokens.expectOperator("(");
      Query query = queries.parse();
      tokens.expectOperator(")");
      return new Condition.Exists(query);
    }
    Condition inParentheses = tryParenthesized();
    return inParentheses != null ? inParentheses : comparison(expressions.parse());
  }

  /** {@code (condition)}; null if the parenthesis opens a value. */
  private @Nullable Condition tryParenthesized() {
    int mark = tokens.mark();
    if (!tokens.acceptOperator("(")) {
      return null;
    }
    try {
      Condition condition = parse();
      tokens.expectOperator(")");
      if (!goesOnAsValue()) {
        return condition;
      }
    } catch (SqlServerError ignored) {
      // a value then: whatever is wrong with it is told when it is parsed as one
    }
    tokens.reset(mark);
    return null;
  }

  private boolean goesOnAsValue() {
    Token token = tokens.peek();
    return COMPARISONS.containsKey(token.text())
        || Set.of("+", "-", "*", "/", "%").contains(token.text())
        || (token.kind() == Token.Kind.WORD
            && AFTER_VALUE.contains(token.text().toUpperCase(java.util.Locale.ROOT)));
  }

  private Condition comparison(Expression left) throws SqlServerError {
    String operator = COMPARISONS.get(tokens.peek().text());
    if (operator != null && tokens.peek().kind() == Token.Kind.OPERATOR) {
      tokens.next();
      return new Comparison(operator, left, expressions.parse());
    }
    if (tokens.accept("IS")) {
      boolean negated = tokens.accept("NOT");
      tokens.expect("NULL");
      return negate(negated, new Condition.IsNull(left));
    }
    boolean negated = tokens.accept("NOT");
    return negate(negated, negatable(left));
  }

  private Condition negatable(Expression left) throws SqlServerError {
    if (tokens.accept("BETWEEN")) {
      Expression low = expressions.parse();
      tokens.expect("AND");
      return new Condition.Between(left, low, expressions.parse());
    }
    if (tokens.accept("LIKE")) {
      Expression pattern = expressions.parse();
      return new Condition.Like(
          left, pattern, tokens.accept("ESCAPE") ? expressions.parse() : null);
    }
    tokens.expect("IN");
    tokens.expectOperator("(");
    if (queries.startsQuery()) {
      Query query = queries.parse();
      tokens.expectOperator(")");
      return new Condition.InQuery(left, query);
    }
    List<Expression> values = expressions.list();
    tokens.expectOperator(")");
    return new Condition.InList(left, values);
  }

  private static Condition negate(boolean negated, Condition condition) {
    return negated ? new Condition.Not(condition) : condition;
  }
}

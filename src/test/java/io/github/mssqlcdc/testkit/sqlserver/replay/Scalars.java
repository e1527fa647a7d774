package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters and variables of a request, as far as they are values or named by another. */
final class Scalars {
  private final Map<String, Object> variables = new HashMap<>();

  Scalars(List<Request.Parameter> parameters, List<Statement> statements) {
    for (Request.Parameter parameter : parameters) {
      put(parameter.name(), parameter.value());
    }
    for (Statement statement : statements) {
      if (statement instanceof Statement.Declare declare && declare.initial() != null) {
        put(declare.variable(), value(declare.initial()));
      }
    }
  }

  private void put(String name, @Nullable Object value) {
    if (value != null) {
      variables.put(name, value);
    }
  }

  /** Null if it isn't known. */
  byte @Nullable [] bytes(String variable) {
    return variables.get(variable) instanceof byte[] bytes ? bytes : null;
  }

  long number(String variable) {
    return ((Number) variables.getOrDefault(variable, 0)).longValue();
  }

  /**
   * @throws SqlServerError it is neither a value nor known as one
   */
  Object require(Expression expression) throws SqlServerError {
    Object value = value(expression);
    if (value == null) {
      throw refused("the value of " + expression);
    }
    return value;
  }

  long requireNumber(Expression expression) throws SqlServerError {
    Object value = require(expression);
    return value instanceof Number number
        ? number.longValue()
        : new BigDecimal(value.toString()).longValueExact();
  }

  private @Nullable Object value(Expression expression) {
    if (expression instanceof Expression.Variable variable) {
      return variables.get(variable.name());
    }
    if (expression instanceof Expression.Cast cast) {
      return value(cast.operand());
    }
    if (expression instanceof Expression.Collate collate) {
      return value(collate.operand());
    }
    if (expression instanceof Expression.NumberLiteral number) {
      return new BigDecimal(number.text());
    }
    if (expression instanceof Expression.BinaryLiteral binary) {
      return HexFormat.of().parseHex(binary.hex());
    }
    return null;
  }

  static SqlServerError refused(String what) {
    return new SqlServerError(50000, 16, 1, "Unsupported by the replay of a table: " + what);
  }
}

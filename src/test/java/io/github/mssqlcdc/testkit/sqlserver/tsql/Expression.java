package io.github.mssqlcdc.testkit.sqlserver.tsql;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scalar expression. */
public sealed interface Expression {

  record NullLiteral() implements Expression {}

  record StringLiteral(String value, boolean unicode) implements Expression {}

  /** An integer, decimal or float as written. */
  record NumberLiteral(String text) implements Expression {}

  /** A binary value by its hex digits, of any count. */
  record BinaryLiteral(String hex) implements Expression {}

  /** A column by one to four parts, or a date part. */
  record Name(List<String> parts) implements Expression {}

  /** {@code @x}. */
  record Variable(String name) implements Expression {}

  /** {@code @@x}. */
  record GlobalVariable(String name) implements Expression {}

  /** {@code -x}, {@code +x}, {@code ~x}. */
  record Unary(String operator, Expression operand) implements Expression {}

  /** {@code + - * / % & | ^}. */
  record Binary(String operator, Expression left, Expression right) implements Expression {}

  /** A searched CASE; a simple one is parsed into comparisons. */
  record Case(List<When> whens, @Nullable Expression otherwise) implements Expression {}

  record When(Condition condition, Expression result) {}

  /**
   * CAST and CONVERT.
   *
   * @param lenient TRY_CAST and TRY_CONVERT: NULL instead of an error
   */
  record Cast(Expression operand, DataType type, @Nullable Expression style, boolean lenient)
      implements Expression {}

  /**
   * A function call.
   *
   * @param name one to three parts
   * @param star {@code COUNT(*)}
   */
  record Call(
      List<String> name,
      List<Expression> arguments,
      boolean distinct,
      boolean star,
      @Nullable Window over)
      implements Expression {}

  /**
   * What stands in OVER.
   *
   * @param frame as written, canonical words; null for none
   */
  record Window(
      List<Expression> partitionBy, List<Query.OrderItem> orderBy, @Nullable String frame) {}

  record Subquery(Query query) implements Expression {}

  record Collate(Expression operand, String collation) implements Expression {}

  /** {@code DEFAULT} in a VALUES row or an assignment. */
  record Default() implements Expression {}
}

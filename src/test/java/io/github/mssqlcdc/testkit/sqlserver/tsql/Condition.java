package io.github.mssqlcdc.testkit.sqlserver.tsql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search condition; T-SQL keeps it apart from values. */
public sealed interface Condition {

  record And(Condition left, Condition right) implements Condition {}

  record Or(Condition left, Condition right) implements Condition {}

  record Not(Condition operand) implements Condition {}

  /** {@code = <> < <= > >=}; {@code != !< !>} are parsed into these. */
  record Comparison(String operator, Expression left, Expression right) implements Condition {}

  record IsNull(Expression operand) implements Condition {}

  record Between(Expression operand, Expression low, Expression high) implements Condition {}

  record InList(Expression operand, List<Expression> values) implements Condition {}

  record InQuery(Expression operand, Query query) implements Condition {}

  record Like(Expression operand, Expression pattern, @Nullable Expression escape)
      implements Condition {}

  record Exists(Query query) implements Condition {}
}

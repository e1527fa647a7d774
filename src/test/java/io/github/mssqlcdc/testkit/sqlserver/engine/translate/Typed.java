package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import org.jspecify.annotations.Nullable;

/**
 * An expression in H2's SQL with its T-SQL type.
 *
 * @param text null for a constant, which is written where it is used
 * @param constant null if the value isn't known before the statement runs
 */
public record Typed(
    @Nullable String text, DataType type, boolean nullable, @Nullable Constant constant) {

  /**
   * A value known before the statement runs.
   *
   * @param literal written in the statement, not held by a variable
   */
  public record Constant(@Nullable Object value, boolean literal) {}

  public static Typed of(String text, DataType type, boolean nullable) {
    return new Typed(text, type, nullable, null);
  }

  public static Typed literal(@Nullable Object value, DataType type) {
    return new Typed(null, type, value == null, new Constant(value, true));
  }

  /**
   * A value that differs from run to run: bound as a parameter, so that the text stays the same.
   */
  public static Typed bound(@Nullable Object value, DataType type) {
    return new Typed(null, type, value == null, new Constant(value, false));
  }

  /** NULL as written: an int until something else decides. */
  public static Typed nullLiteral() {
    return literal(null, Types.INT);
  }

  boolean isNullLiteral() {
    return constant != null && constant.literal() && constant.value() == null;
  }

  boolean isConstant() {
    return constant != null;
  }

  String sql(Bindings bindings) {
    return constant == null ? String.valueOf(text) : bindings.write(constant, type);
  }
}

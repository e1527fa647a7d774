package io.github.mssqlcdc.keyrange;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition on one column, which the server decides.
 *
 * @param values what it is compared with, as text that the column's own type reads: one, several
 *     for {@link Operator#IN}, none for the tests for NULL
 */
public record ColumnFilter(KeyColumn column, Operator operator, List<String> values)
    implements Serializable {

  /** How a column is compared; a NULL satisfies {@link #IS_NULL} alone. */
  public enum Operator {
    EQUAL("="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    IN("IN"),
    IS_NULL("IS NULL"),
    IS_NOT_NULL("IS NOT NULL");

    private final String sql;

    Operator(String sql) {
      this.sql = sql;
    }

    /** As SQL writes it. */
    public String sql() {
      return sql;
    }
  }

  /**
   * @throws IllegalArgumentException or {@link java.time.DateTimeException} if a value is none of
   *     the column's type
   */
  public ColumnFilter {
    values = values.stream().map(column::value).toList();
  }

  /** For people: {@code id >= 5}. */
  @Override
  public String toString() {
    String left = column.name() + " " + operator.sql();
    return switch (operator) {
      case IS_NULL, IS_NOT_NULL -> left;
      case IN -> left + values.stream().collect(Collectors.joining(", ", " (", ")"));
      default -> left + " " + values.get(0);
    };
  }
}

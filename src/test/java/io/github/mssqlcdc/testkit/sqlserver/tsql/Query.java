package io.github.mssqlcdc.testkit.sqlserver.tsql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query expression.
 *
 * @param offset OFFSET … ROWS; null: none
 * @param fetch FETCH NEXT … ROWS ONLY; null: none
 */
public record Query(
    List<CommonTable> with,
    Body body,
    List<OrderItem> orderBy,
    @Nullable Expression offset,
    @Nullable Expression fetch) {

  /** A common table expression. */
  public record CommonTable(String name, List<String> columns, Query query) {}

  public record OrderItem(Expression expression, boolean descending) {}

  public sealed interface Body permits Select, SetOperation, Nested {}

  /**
   * @param operator UNION, UNION ALL, EXCEPT, INTERSECT
   */
  public record SetOperation(String operator, Body left, Body right) implements Body {}

  /** A query expression in parentheses. */
  public record Nested(Query query) implements Body {}

  public record Select(
      boolean distinct,
      @Nullable Top top,
      List<Item> items,
      List<TableSource> from,
      @Nullable Condition where,
      List<Expression> groupBy,
      @Nullable Condition having)
      implements Body {}

  public record Top(Expression rows, boolean percent, boolean ties) {}

  public sealed interface Item {}

  public record Column(Expression expression, @Nullable String alias) implements Item {}

  /**
   * @param qualifier empty for a bare {@code *}
   */
  public record Star(List<String> qualifier) implements Item {}

  /** {@code @x = expression}. */
  public record Assign(String variable, Expression expression) implements Item {}

  public sealed interface TableSource {}

  /** A table or view by name, with the table hints written behind it. */
  public record NamedTable(List<String> name, @Nullable String alias, Set<String> hints)
      implements TableSource {}

  /** A table-valued function. */
  public record FunctionTable(List<String> name, List<Expression> arguments, @Nullable String alias)
      implements TableSource {}

  public record DerivedTable(Query query, String alias, List<String> columns)
      implements TableSource {}

  public record ValuesTable(List<List<Expression>> rows, String alias, List<String> columns)
      implements TableSource {}

  /**
   * @param kind INNER, LEFT, RIGHT, FULL, CROSS
   */
  public record Join(String kind, TableSource left, TableSource right, @Nullable Condition on)
      implements TableSource {}
}

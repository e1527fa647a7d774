package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One SELECT block with the order and limit that belong to it. */
final class SelectTranslator {
  private static final Set<String> AGGREGATES =
      Set.of("COUNT", "COUNT_BIG", "SUM", "MIN", "MAX", "AVG");

  private final Translation translation;
  private final QueryTranslator queries;
  private final FromTranslator from;

  SelectTranslator(Translation translation, QueryTranslator queries) {
    this.translation = translation;
    this.queries = queries;
    this.from = new FromTranslator(translation, queries);
  }

  Translated translate(Query.Select select, Query query, @Nullable Scope outer)
      throws SqlServerError {
    Scope scope = new Scope(outer);
    String tables = from.translate(select.from(), scope);
    String where =
        select.where() == null
            ? ""
            : " WHERE " + translation.expressions().conditions().translate(select.where(), scope);
    String groupBy = groupBy(select, scope);
    List<String> items = new ArrayList<>();
    List<Output> columns = items(select.items(), scope, items);
    List<String> values = values(items);
    StringBuilder rest = new StringBuilder(tables).append(where).append(groupBy);
    if (select.having() != null) {
      rest.append(" HAVING ")
          .append(translation.expressions().conditions().translate(select.having(), scope));
    }
    String distinct = select.distinct() ? translation.ordering().distinct(values, columns) : "";
    String sql =
        new OrderTranslator(translation, columns, values, scope, select.distinct())
            .ordered(
                "SELECT " + distinct + String.join(", ", items), rest.toString(), query.orderBy());
    return new Translated(sql + queries.limit(query, select.top()), columns);
  }

  private String groupBy(Query.Select select, Scope scope) throws SqlServerError {
    if (select.groupBy().isEmpty()) {
      if (select.having() != null || hasAggregate(select.items())) {
        scope.group(List.of());
      }
      return "";
    }
    List<String> keys = new ArrayList<>();
    for (Expression key : select.groupBy()) {
      keys.add(key(translation.expressions().translate(key, scope)));
    }
    scope.group(select.groupBy());
    return " GROUP BY " + String.join(", ", keys);
  }

  private static boolean hasAggregate(List<Query.Item> items) {
    for (Query.Item item : items) {
      Expression expression =
          item instanceof Query.Column column
              ? column.expression()
              : item instanceof Query.Assign assign ? assign.expression() : null;
      if (expression != null && isAggregate(expression)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAggregate(Expression expression) {
    if (expression instanceof Expression.Call call) {
      boolean aggregate =
          call.over() == null
              && call.name().size() == 1
              && AGGREGATES.contains(call.name().get(0).toUpperCase(java.util.Locale.ROOT));
      return aggregate || call.arguments().stream().anyMatch(SelectTranslator::isAggregate);
    }
    if (expression instanceof Expression.Cast cast) {
      return isAggregate(cast.operand());
    }
    if (expression instanceof Expression.Case choice) {
      return choice.whens().stream().anyMatch(when -> isAggregate(when.result()))
          || (choice.otherwise() != null && isAggregate(choice.otherwise()));
    }
    if (expression instanceof Expression.Binary binary) {
      return isAggregate(binary.left()) || isAggregate(binary.right());
    }
    return expression instanceof Expression.Unary unary && isAggregate(unary.operand());
  }

  /** Writes the items and returns the columns they give. */
  private List<Output> items(List<Query.Item> items, Scope scope, List<String> sql)
      throws SqlServerError {
    List<Output> columns = new ArrayList<>();
    for (Query.Item item : items) {
      if (item instanceof Query.Star star) {
        star(star, scope, sql, columns);
      } else if (item instanceof Query.Column column) {
        add(column.expression(), name(column), null, scope, sql, columns);
      } else if (item instanceof Query.Assign assign) {
        add(assign.expression(), "", assign.variable(), scope, sql, columns);
      }
    }
    long assigned = columns.stream().filter(column -> column.variable() != null).count();
    if (assigned > 0 && assigned < columns.size()) {
      throw new SqlServerError(
          141,
          15,
          1,
          "A SELECT statement that assigns a value to a variable must not be combined with"
              + " data-retrieval operations.");
    }
    return columns;
  }

  private void add(
      Expression expression,
      String name,
      @Nullable String variable,
      Scope scope,
      List<String> sql,
      List<Output> columns)
      throws SqlServerError {
    Typed value = translation.expressions().translate(expression, scope);
    columns.add(new Output(name, value.type(), value.nullable(), variable));
    sql.add(translation.sql(value) + " AS C" + columns.size());
  }

  private static String name(Query.Column column) {
    if (column.alias() != null) {
      return column.alias();
    }
    return column.expression() instanceof Expression.Name name
        ? name.parts().get(name.parts().size() - 1)
        : "";
  }

  private static void star(Query.Star star, Scope scope, List<String> sql, List<Output> columns)
      throws SqlServerError {
    boolean found = false;
    for (Source source : scope.sources()) {
      if (!source.isNamed(star.qualifier())) {
        continue;
      }
      found = true;
      for (Map.Entry<String, Typed> column : source.columns().entrySet()) {
        Typed value = column.getValue();
        columns.add(new Output(column.getKey(), value.type(), value.nullable(), null));
        sql.add(value.text() + " AS C" + columns.size());
      }
    }
    if (!found) {
      throw scope.sources().isEmpty()
          ? new SqlServerError(263, 16, 1, "Must specify table to select from.")
          : new SqlServerError(
              107,
              15,
              1,
              "The column prefix '"
                  + String.join(".", star.qualifier())
                  + "' does not match with a table name or alias name used in the query.");
    }
  }

  /** The items without their aliases. */
  private static List<String> values(List<String> items) {
    List<String> values = new ArrayList<>();
    for (String item : items) {
      values.add(item.substring(0, item.length() - (" AS C" + (values.size() + 1)).length()));
    }
    return values;
  }

  private String key(Typed value) {
    return translation.ordering().key(translation.sql(value), value.type());
  }
}

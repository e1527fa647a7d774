package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ORDER BY of a SELECT block. */
final class OrderTranslator {
  private final Translation translation;
  private final List<Output> columns;
  private final List<String> values;
  private final Scope scope;
  private final boolean distinct;

  /**
   * @param values H2's SQL of the columns
   */
  OrderTranslator(
      Translation translation,
      List<Output> columns,
      List<String> values,
      Scope scope,
      boolean distinct) {
    this.translation = translation;
    this.columns = columns;
    this.values = values;
    this.scope = scope;
    this.distinct = distinct;
  }

  /**
   * What to sort by.
   *
   * @param position of the column it is, from 1; null: it is none
   */
  private record Key(String value, DataType type, @Nullable Integer position, String direction) {
    boolean isKeyed() {
      return Ordering.isKeyed(type);
    }
  }

  /**
   * @param select up to the columns
   * @param rest from FROM on
   */
  String ordered(String select, String rest, List<Query.OrderItem> items) throws SqlServerError {
    List<Key> keys = new ArrayList<>();
    for (Query.OrderItem item : items) {
      keys.add(key(item));
    }
    if (keys.isEmpty()) {
      return select + rest;
    }
    return keys.stream().anyMatch(Key::isKeyed)
        ? outside(select, rest, keys)
        : select + rest + " ORDER BY " + String.join(", ", inside(keys));
  }

  private Key key(Query.OrderItem item) throws SqlServerError {
    String direction = item.descending() ? " DESC" : "";
    Integer position = translation.queries().outputPosition(item.expression(), columns);
    if (position != null) {
      DataType type = columns.get(position - 1).type();
      return new Key(values.get(position - 1), type, position, direction);
    }
    Typed value = translation.expressions().translate(item.expression(), scope);
    String sql = translation.sql(value);
    int same = values.indexOf(sql);
    return new Key(sql, value.type(), same < 0 ? null : (Integer) (same + 1), direction);
  }

  private List<String> inside(List<Key> keys) {
    List<String> sql = new ArrayList<>();
    for (Key key : keys) {
      String text = key.position() == null ? key.value() : String.valueOf(key.position());
      sql.add(text + key.direction());
    }
    return sql;
  }

  /**
   * Sorts rows once they are made, by keys that are columns with names: of groups and distinct rows
   * H2 doesn't take keys before, and in a derived table it wants a name for each.
   */
  private String outside(String select, String rest, List<Key> keys) throws SqlServerError {
    StringBuilder more = new StringBuilder(select);
    String names = QueryTranslator.columnNames(columns.size());
    StringBuilder keyed = new StringBuilder("SELECT ").append(names);
    List<String> sql = new ArrayList<>();
    for (Key key : keys) {
      String name = key.position() == null ? "V" + sql.size() : "C" + key.position();
      if (key.position() == null && distinct) {
        throw new SqlServerError(
            145,
            15,
            1,
            "ORDER BY items must appear in the select list if SELECT DISTINCT is specified.");
      }
      if (key.position() == null) {
        more.append(", ").append(key.value()).append(" AS ").append(name);
      }
      String sortKey = translation.ordering().key(name, key.type());
      keyed.append(", ").append(sortKey).append(" AS K").append(sql.size());
      sql.add("K" + sql.size() + key.direction());
    }
    keyed.append(" FROM (").append(more).append(rest).append(") AS ").append(translation.alias());
    return "SELECT "
        + names
        + " FROM ("
        + keyed
        + ") AS "
        + translation.alias()
        + " ORDER BY "
        + String.join(", ", sql);
  }
}

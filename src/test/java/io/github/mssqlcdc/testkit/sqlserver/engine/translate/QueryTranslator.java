package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Query expressions: common tables, set operations, order, and how many rows. */
final class QueryTranslator {
  private final Translation translation;
  private final SelectTranslator selects;

  QueryTranslator(Translation translation) {
    this.translation = translation;
    this.selects = new SelectTranslator(translation, this);
  }

  /** A query inside another: ORDER BY needs TOP or OFFSET. */
  Translated translate(Query query, @Nullable Scope outer) throws SqlServerError {
    boolean limited =
        query.offset() != null
            || (query.body() instanceof Query.Select select && select.top() != null);
    if (!query.orderBy().isEmpty() && !limited) {
      throw new SqlServerError(
          1033,
          15,
          1,
          "The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries,"
              + " and common table expressions, unless TOP, OFFSET or FOR XML is also specified.");
    }
    return outermost(query, outer);
  }

  Translated outermost(Query query, @Nullable Scope outer) throws SqlServerError {
    String with = commonTables(query.with());
    if (query.body() instanceof Query.Select select) {
      Translated translated = selects.translate(select, query, outer);
      return new Translated(with + translated.sql(), translated.columns());
    }
    Translated body = body(query.body(), outer);
    StringBuilder sql = new StringBuilder(with);
    if (query.orderBy().isEmpty()) {
      sql.append(body.sql());
    } else {
      sql.append(ordered(query, body));
    }
    sql.append(limit(query, null));
    return new Translated(sql.toString(), body.columns());
  }

  private String commonTables(List<Query.CommonTable> tables) throws SqlServerError {
    if (tables.isEmpty()) {
      return "";
    }
    List<String> definitions = new ArrayList<>();
    for (Query.CommonTable table : tables) {
      definitions.add(commonTable(table));
    }
    return "WITH RECURSIVE " + String.join(", ", definitions) + " ";
  }

  /** The first half of a UNION ALL decides the columns; the second may read the table itself. */
  private String commonTable(Query.CommonTable table) throws SqlServerError {
    String h2Name = translation.alias();
    String sql;
    List<Output> columns;
    if (table.query().body() instanceof Query.SetOperation union
        && union.operator().equals("UNION ALL")
        && table.query().with().isEmpty()
        && table.query().orderBy().isEmpty()) {
      Translated anchor = body(union.left(), null);
      columns = named(table.name(), anchor.columns(), table.columns());
      translation.define(table.name(), new Translation.CommonTable(h2Name, columns));
      Translated rest = body(union.right(), null);
      sql = anchor.sql() + " UNION ALL " + converted(rest, columns).sql();
    } else {
      Translated query = translate(table.query(), null);
      columns = named(table.name(), query.columns(), table.columns());
      translation.define(table.name(), new Translation.CommonTable(h2Name, columns));
      sql = query.sql();
    }
    return h2Name + "(" + columnNames(columns.size()) + ") AS (" + sql + ")";
  }

  static String columnNames(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add("C" + i);
    }
    return String.join(", ", names);
  }

  /** Columns by the names given behind the table's name, or else their own; all need one. */
  static List<Output> named(String table, List<Output> columns, List<String> names)
      throws SqlServerError {
    if (!names.isEmpty() && names.size() != columns.size()) {
      boolean more = names.size() < columns.size();
      throw new SqlServerError(
          more ? 8158 : 8159,
          16,
          1,
          "'"
              + table
              + "' has "
              + (more ? "more" : "fewer")
              + " columns than were specified in the column list.");
    }
    List<Output> named = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Output column = columns.get(i);
      String name = names.isEmpty() ? column.name() : names.get(i);
      if (name.isEmpty()) {
        throw new SqlServerError(
            8155,
            16,
            2,
            "No column name was specified for column " + (i + 1) + " of '" + table + "'.");
      }
      named.add(new Output(name, column.type(), column.nullable(), null));
    }
    return named;
  }

  private Translated body(Query.Body body, @Nullable Scope outer) throws SqlServerError {
    if (body instanceof Query.Select select) {
      Query alone = new Query(List.of(), select, List.of(), null, null);
      Translated translated = selects.translate(select, alone, outer);
      return select.top() == null
          ? translated
          : new Translated("(" + translated.sql() + ")", translated.columns());
    }
    if (body instanceof Query.Nested nested) {
      Translated query = translate(nested.query(), outer);
      return new Translated("(" + query.sql() + ")", query.columns());
    }
    Query.SetOperation operation = (Query.SetOperation) body;
    Translated left = body(operation.left(), outer);
    Translated right = body(operation.right(), outer);
    if (left.columns().size() != right.columns().size()) {
      throw new SqlServerError(
          205,
          16,
          1,
          "All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal"
              + " number of expressions in their target lists.");
    }
    List<Output> columns = common(left.columns(), right.columns());
    boolean isUnion = operation.operator().equals("UNION");
    String sql =
        converted(left, columns).sql()
            + " "
            + (isUnion ? "UNION ALL" : operation.operator())
            + " "
            + converted(right, columns).sql();
    Translated all = new Translated("(" + sql + ")", columns);
    return isUnion ? distinct(all) : all;
  }

  private Translated distinct(Translated all) {
    List<String> names = List.of(columnNames(all.columns().size()).split(", "));
    String distinct = translation.ordering().distinct(names, all.columns());
    return new Translated("(SELECT " + distinct + "* FROM " + named(all) + ")", all.columns());
  }

  private String named(Translated query) {
    String columns = columnNames(query.columns().size());
    return "(" + query.sql() + ") AS " + translation.alias() + "(" + columns + ")";
  }

  private static List<Output> common(List<Output> left, List<Output> right) {
    List<Output> columns = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      Output a = left.get(i);
      Output b = right.get(i);
      columns.add(
          new Output(
              a.name(),
              Types.common(a.type(), b.type()),
              a.nullable() || b.nullable(),
              a.variable()));
    }
    return columns;
  }

  private Translated converted(Translated query, List<Output> columns) throws SqlServerError {
    String alias = translation.alias();
    List<String> items = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < columns.size(); i++) {
      Output from = query.columns().get(i);
      Typed column = Typed.of(alias + ".C" + (i + 1), from.type(), from.nullable());
      Typed to = translation.coercion().implicit(column, columns.get(i).type());
      same &= to == column;
      items.add(translation.sql(to) + " AS C" + (i + 1));
    }
    if (same) {
      return query;
    }
    String sql = "SELECT " + String.join(", ", items) + " FROM (" + query.sql() + ") AS " + alias;
    return new Translated(sql, columns);
  }

  /** Keys are columns with names: in a derived table H2 wants a name for each. */
  private String ordered(Query query, Translated body) throws SqlServerError {
    String names = columnNames(body.columns().size());
    List<String> values = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (Query.OrderItem item : query.orderBy()) {
      Integer position = outputPosition(item.expression(), body.columns());
      if (position == null) {
        throw new SqlServerError(
            104,
            16,
            1,
            "ORDER BY items must appear in the select list if the statement contains a UNION,"
                + " INTERSECT or EXCEPT operator.");
      }
      String key =
          translation.ordering().key("C" + position, body.columns().get(position - 1).type());
      values.add(key + " AS K" + keys.size());
      keys.add("K" + keys.size() + (item.descending() ? " DESC" : ""));
    }
    return "SELECT "
        + names
        + " FROM (SELECT "
        + names
        + ", "
        + String.join(", ", values)
        + " FROM "
        + named(body)
        + ") AS "
        + translation.alias()
        + " ORDER BY "
        + String.join(", ", keys);
  }

  /** Where an ORDER BY item names an output column, by position or by name; else null. */
  @Nullable Integer outputPosition(Expression item, List<Output> columns) throws SqlServerError {
    if (item instanceof Expression.NumberLiteral number) {
      int position = number.text().matches("\\d{1,4}") ? Integer.parseInt(number.text()) : 0;
      if (position < 1 || position > columns.size()) {
        throw new SqlServerError(
            108,
            15,
            1,
            "The ORDER BY position number "
                + number.text()
                + " is out of range of the number of items in the select list.");
      }
      return position;
    }
    if (item instanceof Expression.Name name && name.parts().size() == 1) {
      for (int i = 0; i < columns.size(); i++) {
        if (translation.names().same(columns.get(i).name(), name.parts().get(0))) {
          return i + 1;
        }
      }
    }
    return null;
  }

  String limit(Query query, Query.@Nullable Top top) throws SqlServerError {
    if (top != null) {
      String unit = top.percent() ? " PERCENT" : "";
      String ties = top.ties() ? " ROWS WITH TIES" : " ROWS ONLY";
      return " FETCH FIRST " + count(top.rows(), top.percent()) + unit + ties;
    }
    if (query.offset() == null) {
      return "";
    }
    String sql = " OFFSET " + count(query.offset(), false) + " ROWS";
    return query.fetch() == null
        ? sql
        : sql + " FETCH NEXT " + count(query.fetch(), false) + " ROWS ONLY";
  }

  private String count(Expression rows, boolean percent) throws SqlServerError {
    Typed typed = translation.expressions().translate(rows, new Scope(null));
    if (!Types.isNumber(typed.type())) {
      throw new SqlServerError(
          1060,
          15,
          1,
          "The number of rows provided for a TOP or FETCH clauses row count parameter must be an"
              + " integer.");
    }
    return translation.sql(
        translation.coercion().implicit(typed, percent ? Types.FLOAT : Types.BIGINT));
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INSERT: columns left out get their default here, so that H2 needs none. */
final class InsertTranslator {
  private static final int MOST_ROWS = 1000;
  private static final String NEXT_ROW_VERSION =
      "CAST(NEXT VALUE FOR \"tsql\".\"rowversions\" AS BINARY(8))";

  private final Translation translation;
  private final boolean identityInsert;

  InsertTranslator(Translation translation, boolean identityInsert) {
    this.translation = translation;
    this.identityInsert = identityInsert;
  }

  H2Statement translate(Statement.Insert insert) throws SqlServerError {
    Table table = new TableResolver(translation).table(insert.table());
    translation.environment().require("INSERT", table, List.of());
    List<Table.Column> targets = targets(table, insert.columns());
    List<Table.Column> defaulted =
        table.storedColumns().stream()
            .filter(c -> !targets.contains(c))
            .filter(c -> c.defaultValue() != null || isRowVersion(c))
            .toList();
    String rows = rows(insert.source(), targets, defaulted);
    List<String> names = new ArrayList<>();
    targets.forEach(column -> names.add(Table.quote(column.name())));
    defaulted.forEach(column -> names.add(Table.quote(column.name())));
    String sql =
        names.isEmpty()
            ? "INSERT INTO " + table.h2Name() + " DEFAULT VALUES"
            : "INSERT INTO " + table.h2Name() + " (" + String.join(", ", names) + ") " + rows;
    return translation.finish(sql, List.of());
  }

  private List<Table.Column> targets(Table table, List<String> names) throws SqlServerError {
    if (names.isEmpty()) {
      return table.storedColumns().stream()
          .filter(c -> (c.identity() == null || identityInsert) && !isRowVersion(c))
          .toList();
    }
    List<Table.Column> targets = new ArrayList<>();
    for (String name : names) {
      Table.Column column = table.column(name).orElseThrow(() -> Errors.unknownColumn(name));
      refuseGenerated(table, column);
      targets.add(column);
    }
    return targets;
  }

  static boolean isRowVersion(Table.Column column) {
    return column.type().name() == SqlTypeName.ROWVERSION;
  }

  private void refuseGenerated(Table table, Table.Column column) throws SqlServerError {
    if (column.identity() != null && !identityInsert) {
      throw new SqlServerError(
          544,
          16,
          1,
          "Cannot insert explicit value for identity column in table '"
              + table.name()
              + "' when IDENTITY_INSERT is set to OFF.");
    }
    if (isRowVersion(column)) {
      throw new SqlServerError(
          273, 16, 1, "Cannot insert an explicit value into a timestamp column.");
    }
    if (!column.stored()) {
      throw ChangeTranslator.computed(column);
    }
  }

  private String rows(
      Statement.@Nullable Source source, List<Table.Column> targets, List<Table.Column> defaulted)
      throws SqlServerError {
    if (source instanceof Statement.FromQuery query) {
      return query(query, targets, defaulted);
    }
    if (source == null) {
      List<Expression> defaults = new ArrayList<>();
      targets.forEach(column -> defaults.add(new Expression.Default()));
      return "VALUES " + row(defaults, targets, defaulted);
    }
    List<List<Expression>> given = ((Statement.Rows) source).rows();
    if (given.size() > MOST_ROWS) {
      throw new SqlServerError(
          10738,
          15,
          1,
          "The number of row value expressions in the INSERT statement exceeds the maximum allowed"
              + " number of 1000 row values.");
    }
    List<String> rows = new ArrayList<>();
    for (List<Expression> row : given) {
      rows.add(row(row, targets, defaulted));
    }
    return "VALUES " + String.join(", ", rows);
  }

  private String row(List<Expression> row, List<Table.Column> targets, List<Table.Column> defaulted)
      throws SqlServerError {
    checkCount(row.size(), targets.size());
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      values.add(value(row.get(i), targets.get(i)));
    }
    for (Table.Column column : defaulted) {
      values.add(value(new Expression.Default(), column));
    }
    return "(" + String.join(", ", values) + ")";
  }

  private String value(Expression expression, Table.Column column) throws SqlServerError {
    Typed value =
        expression instanceof Expression.Default
            ? defaultOf(translation, column)
            : translation.expressions().translate(expression, new Scope(null));
    return translation.sql(translation.coercion().assign(value, column.type()));
  }

  /** A rowversion takes the database's next number. */
  static Typed defaultOf(Translation translation, Table.Column column) throws SqlServerError {
    if (isRowVersion(column)) {
      return Typed.of(NEXT_ROW_VERSION, column.type(), false);
    }
    return column.defaultValue() == null
        ? Typed.nullLiteral()
        : translation.expressions().translate(column.defaultValue().expression(), new Scope(null));
  }

  private static void checkCount(int values, int columns) throws SqlServerError {
    if (values != columns) {
      throw new SqlServerError(
          values < columns ? 109 : 110,
          15,
          1,
          "There are "
              + (values < columns ? "more" : "fewer")
              + " columns in the INSERT statement than values specified in the VALUES clause. The"
              + " number of values in the VALUES clause must match the number of columns"
              + " specified in the INSERT statement.");
    }
  }

  private String query(
      Statement.FromQuery source, List<Table.Column> targets, List<Table.Column> defaulted)
      throws SqlServerError {
    Translated query = translation.queries().outermost(source.query(), null);
    if (query.columns().size() != targets.size()) {
      throw new SqlServerError(
          query.columns().size() < targets.size() ? 120 : 121,
          15,
          1,
          "The select list for the INSERT statement contains "
              + (query.columns().size() < targets.size() ? "fewer" : "more")
              + " items than the insert list. The number of SELECT values must match the number"
              + " of INSERT columns.");
    }
    String alias = translation.alias();
    List<String> items = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      Output output = query.columns().get(i);
      Typed value = Typed.of(alias + ".C" + (i + 1), output.type(), output.nullable());
      items.add(translation.sql(translation.coercion().assign(value, targets.get(i).type())));
    }
    for (Table.Column column : defaulted) {
      items.add(value(new Expression.Default(), column));
    }
    return "SELECT "
        + String.join(", ", items)
        + " FROM ("
        + query.sql()
        + ") AS "
        + alias
        + "("
        + QueryTranslator.columnNames(targets.size())
        + ")";
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** UPDATE and DELETE. */
final class ChangeTranslator {
  private final Translation translation;
  private final TableResolver resolver;

  ChangeTranslator(Translation translation) {
    this.translation = translation;
    this.resolver = new TableResolver(translation);
  }

  H2Statement update(Statement.Update update) throws SqlServerError {
    Table table = resolver.table(update.table());
    List<String> changed = update.assignments().stream().map(Statement.Assignment::column).toList();
    translation.environment().require("UPDATE", table, changed);
    String alias = translation.alias();
    Scope scope = scope(table, alias);
    List<String> assignments = new ArrayList<>();
    for (Statement.Assignment assignment : update.assignments()) {
      assignments.add(assignment(table, assignment, scope));
    }
    for (Table.Column column : table.columns()) {
      if (InsertTranslator.isRowVersion(column)) {
        Typed next = InsertTranslator.defaultOf(translation, column);
        assignments.add(Table.quote(column.name()) + " = " + translation.sql(next));
      }
    }
    String sql =
        "UPDATE "
            + table.h2Name()
            + " AS "
            + alias
            + " SET "
            + String.join(", ", assignments)
            + where(update.where(), scope);
    return finish(sql);
  }

  /** SELECT is only asked for where columns are read. */
  private H2Statement finish(String sql) throws SqlServerError {
    return translation.finish(sql, List.of());
  }

  private Scope scope(Table table, String alias) throws SqlServerError {
    Scope scope = new Scope(null);
    Source source =
        new Source(
            translation.names(),
            table.schema(),
            table.name(),
            table,
            resolver.columns(table, alias, false));
    scope.add(source);
    translation.change(source);
    return scope;
  }

  private String assignment(Table table, Statement.Assignment assignment, Scope scope)
      throws SqlServerError {
    Table.Column column =
        table
            .column(assignment.column())
            .orElseThrow(() -> Errors.unknownColumn(assignment.column()));
    if (column.identity() != null) {
      throw new SqlServerError(
          8102, 16, 1, "Cannot update identity column '" + column.name() + "'.");
    }
    if (InsertTranslator.isRowVersion(column)) {
      throw new SqlServerError(272, 16, 1, "Cannot update a timestamp column.");
    }
    if (!column.stored()) {
      throw computed(column);
    }
    Typed value =
        assignment.value() instanceof Expression.Default
            ? InsertTranslator.defaultOf(translation, column)
            : translation.expressions().translate(assignment.value(), scope);
    return Table.quote(column.name())
        + " = "
        + translation.sql(translation.coercion().assign(value, column.type()));
  }

  static SqlServerError computed(Table.Column column) {
    return new SqlServerError(
        271,
        16,
        1,
        "The column \""
            + column.name()
            + "\" cannot be modified because it is either a computed column or is the result of"
            + " a UNION operator.");
  }

  H2Statement delete(Statement.Delete delete) throws SqlServerError {
    Table table = resolver.table(delete.table());
    translation.environment().require("DELETE", table, List.of());
    String alias = translation.alias();
    Scope scope = scope(table, alias);
    String sql = "DELETE FROM " + table.h2Name() + " AS " + alias + where(delete.where(), scope);
    return finish(sql);
  }

  private String where(@Nullable Condition where, Scope scope) throws SqlServerError {
    return where == null
        ? ""
        : " WHERE " + translation.expressions().conditions().translate(where, scope);
  }

  H2Statement fill(Table table, Table.Column column) throws SqlServerError {
    Typed value = InsertTranslator.defaultOf(translation, column);
    String sql =
        "UPDATE "
            + table.h2Name()
            + " SET "
            + Table.quote(column.name())
            + " = "
            + translation.sql(translation.coercion().assign(value, column.type()));
    return new H2Statement(sql, translation.bindings().values(), List.of(), List.of(), Set.of());
  }
}

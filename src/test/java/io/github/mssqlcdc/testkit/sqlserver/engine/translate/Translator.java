package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Condition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Statement;
import java.util.List;

/** From a parsed statement to H2's. */
public final class Translator {
  private final Environment environment;

  public Translator(Environment environment) {
    this.environment = environment;
  }

  public H2Statement query(Query query) throws SqlServerError {
    Translation translation = new Translation(environment);
    Translated translated = translation.queries().outermost(query, null);
    return translation.finish(translated.sql(), translated.columns());
  }

  /** A value on its own: one row, one column, in the type given. */
  public H2Statement value(Expression expression, DataType type) throws SqlServerError {
    Translation translation = new Translation(environment);
    Typed value = translation.expressions().translate(expression, new Scope(null));
    Typed converted = translation.coercion().implicit(value, type);
    String sql = "SELECT " + translation.sql(converted) + " AS C1";
    return translation.finish(sql, List.of(new Output("", type, converted.nullable(), null)));
  }

  /** A condition on its own: one row, whose one column is 1 if it holds. */
  public H2Statement condition(Condition condition) throws SqlServerError {
    Translation translation = new Translation(environment);
    String test = translation.expressions().conditions().translate(condition, new Scope(null));
    String sql = "SELECT CASE WHEN " + test + " THEN 1 ELSE 0 END AS C1";
    return translation.finish(
        sql,
        List.of(
            new Output(
                "",
                DataType.of(io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName.INT),
                false,
                null)));
  }

  /** The type that a computed column of the table has. */
  public DataType computedType(Expression expression, Table table) throws SqlServerError {
    Translation translation = new Translation(environment);
    Scope scope = new Scope(null);
    scope.add(
        new Source(
            translation.names(),
            "",
            table.name(),
            null,
            new TableResolver(translation).columns(table, "T0", false)));
    return translation.expressions().translate(expression, scope).type();
  }

  public Table table(List<String> name) throws SqlServerError {
    return new TableResolver(new Translation(environment)).table(name);
  }

  /**
   * @param identityInsert whether IDENTITY_INSERT is on for the table
   */
  public H2Statement insert(Statement.Insert insert, boolean identityInsert) throws SqlServerError {
    return new InsertTranslator(new Translation(environment), identityInsert).translate(insert);
  }

  public H2Statement update(Statement.Update update) throws SqlServerError {
    return new ChangeTranslator(new Translation(environment)).update(update);
  }

  public H2Statement delete(Statement.Delete delete) throws SqlServerError {
    return new ChangeTranslator(new Translation(environment)).delete(delete);
  }

  /** Sets a column to its default in every row, as ALTER TABLE … ADD … NOT NULL DEFAULT does. */
  public H2Statement fill(Table table, Table.Column column) throws SqlServerError {
    return new ChangeTranslator(new Translation(environment)).fill(table, column);
  }
}

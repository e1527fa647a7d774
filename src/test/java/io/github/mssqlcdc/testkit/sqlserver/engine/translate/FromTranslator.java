package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stands in FROM; each table gets an alias of its own for H2. */
final class FromTranslator {
  private final Translation translation;
  private final QueryTranslator queries;
  private final TableResolver resolver;

  FromTranslator(Translation translation, QueryTranslator queries) {
    this.translation = translation;
    this.queries = queries;
    this.resolver = new TableResolver(translation);
  }

  /** {@code FROM …}, and the sources added to the scope. Empty without tables. */
  String translate(List<Query.TableSource> tables, Scope scope) throws SqlServerError {
    if (tables.isEmpty()) {
      return "";
    }
    List<String> sql = new ArrayList<>();
    for (Query.TableSource table : tables) {
      sql.add(source(table, scope, false));
    }
    return " FROM " + String.join(" CROSS JOIN ", sql);
  }

  /**
   * @param optional on the side of an outer join whose columns may be NULL
   */
  private String source(Query.TableSource table, Scope scope, boolean optional)
      throws SqlServerError {
    if (table instanceof Query.Join join) {
      return join(join, scope, optional);
    }
    if (table instanceof Query.NamedTable named) {
      return named(named, scope, optional);
    }
    if (table instanceof Query.DerivedTable derived) {
      Translated query = queries.translate(derived.query(), null);
      List<Output> columns =
          QueryTranslator.named(derived.alias(), query.columns(), derived.columns());
      return subselect(query.sql(), derived.alias(), columns, scope, optional);
    }
    if (table instanceof Query.ValuesTable values) {
      return values(values, scope, optional);
    }
    return function((Query.FunctionTable) table, scope, optional);
  }

  private String join(Query.Join join, Scope scope, boolean optional) throws SqlServerError {
    boolean leftOptional = optional || join.kind().equals("RIGHT") || join.kind().equals("FULL");
    boolean rightOptional = optional || join.kind().equals("LEFT") || join.kind().equals("FULL");
    if (join.kind().equals("FULL")) {
      throw Errors.badSyntax("FULL");
    }
    String left = source(join.left(), scope, leftOptional);
    String right = source(join.right(), scope, rightOptional);
    String nested = join.right() instanceof Query.Join ? "(" + right + ")" : right;
    String sql = left + " " + join.kind() + " JOIN " + nested;
    return join.on() == null
        ? sql
        : sql + " ON " + translation.expressions().conditions().translate(join.on(), scope);
  }

  private String named(Query.NamedTable named, Scope scope, boolean optional)
      throws SqlServerError {
    String last = named.name().get(named.name().size() - 1);
    String exposed = named.alias() == null ? last : named.alias();
    Translation.CommonTable common =
        named.name().size() == 1 ? translation.commonTable(last) : null;
    if (common != null) {
      String alias = translation.alias();
      scope.add(
          new Source(
              translation.names(), "", exposed, null, columns(alias, common.columns(), optional)));
      return common.h2Name() + " AS " + alias;
    }
    Optional<SystemView> view = resolver.systemView(named.name());
    if (view.isPresent()) {
      return systemView(view.get(), exposed, scope, optional);
    }
    Table table = resolver.table(named.name());
    String alias = translation.alias();
    String schema = named.alias() == null ? table.schema() : "";
    Source source =
        new Source(
            translation.names(), schema, exposed, table, resolver.columns(table, alias, optional));
    scope.add(source);
    translation.read(source, named.hints());
    return table.h2Name() + " AS " + alias;
  }

  private Map<String, Typed> columns(String alias, List<Output> outputs, boolean optional)
      throws SqlServerError {
    Map<String, Typed> columns = new LinkedHashMap<>();
    for (int i = 0; i < outputs.size(); i++) {
      Output output = outputs.get(i);
      Typed column = Typed.of(alias + ".C" + (i + 1), output.type(), optional || output.nullable());
      if (columns.put(output.name(), column) != null) {
        throw new SqlServerError(
            8156, 16, 1, "The column '" + output.name() + "' was specified multiple times.");
      }
    }
    return columns;
  }

  private String subselect(
      String sql, String exposed, List<Output> columns, Scope scope, boolean optional)
      throws SqlServerError {
    String alias = translation.alias();
    scope.add(
        new Source(translation.names(), "", exposed, null, columns(alias, columns, optional)));
    return "(" + sql + ") AS " + alias + "(" + QueryTranslator.columnNames(columns.size()) + ")";
  }

  private String systemView(SystemView view, String exposed, Scope scope, boolean optional)
      throws SqlServerError {
    List<Output> outputs = new ArrayList<>();
    for (Column column : view.columns()) {
      outputs.add(new Output(column.name(), column.type(), column.nullable(), null));
    }
    List<String> rows = new ArrayList<>();
    for (@Nullable Object[] row : view.rows()) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < row.length; i++) {
        values.add(translation.sql(Typed.literal(row[i], outputs.get(i).type())));
      }
      rows.add("(" + String.join(", ", values) + ")");
    }
    if (rows.isEmpty()) {
      List<String> nulls = new ArrayList<>();
      for (Output output : outputs) {
        nulls.add(translation.sql(Typed.literal(null, output.type())));
      }
      return subselect(
          "SELECT " + String.join(", ", nulls) + " WHERE FALSE", exposed, outputs, scope, optional);
    }
    // a union of as many rows takes H2 seconds to plan
    return subselect("VALUES " + String.join(", ", rows), exposed, outputs, scope, optional);
  }

  private String values(Query.ValuesTable values, Scope scope, boolean optional)
      throws SqlServerError {
    List<List<Typed>> rows = new ArrayList<>();
    for (List<Expression> row : values.rows()) {
      List<Typed> typed = new ArrayList<>();
      for (Expression expression : row) {
        typed.add(translation.expressions().translate(expression, new Scope(null)));
      }
      rows.add(typed);
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < rows.get(0).size(); i++) {
      outputs.add(unifyColumn(rows, i));
    }
    List<String> sql = new ArrayList<>();
    for (List<Typed> row : rows) {
      List<String> cells = new ArrayList<>();
      row.forEach(cell -> cells.add(translation.sql(cell)));
      sql.add("(" + String.join(", ", cells) + ")");
    }
    List<Output> named = QueryTranslator.named(values.alias(), outputs, values.columns());
    return subselect("VALUES " + String.join(", ", sql), values.alias(), named, scope, optional);
  }

  private Output unifyColumn(List<List<Typed>> rows, int index) throws SqlServerError {
    List<Typed> column = new ArrayList<>();
    for (List<Typed> row : rows) {
      if (row.size() != rows.get(0).size()) {
        throw new SqlServerError(
            10709,
            16,
            1,
            "The number of columns for each row in a table value constructor must be the same.");
      }
      column.add(row.get(index));
    }
    List<Typed> same = translation.expressions().unify(column);
    boolean nullable = false;
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i).set(index, same.get(i));
      nullable |= same.get(i).nullable();
    }
    return new Output("", same.get(0).type(), nullable, null);
  }

  private String function(Query.FunctionTable function, Scope scope, boolean optional)
      throws SqlServerError {
    List<Typed> arguments = new ArrayList<>();
    for (Expression argument : function.arguments()) {
      arguments.add(translation.expressions().translate(argument, new Scope(null)));
    }
    String last = function.name().get(function.name().size() - 1);
    String exposed = function.alias() == null ? last : function.alias();
    if (function.name().size() == 1
        && last.equalsIgnoreCase("GENERATE_SERIES")
        && translation.environment().product().has(Product.SQL_SERVER_2022)) {
      return series(arguments, exposed, scope, optional);
    }
    TableFunction result =
        translation
            .environment()
            .tableFunction(function.name(), arguments)
            .orElseThrow(() -> Errors.unknownObject(String.join(".", function.name())));
    return subselect(result.sql(), exposed, result.columns(), scope, optional);
  }

  private String series(List<Typed> arguments, String exposed, Scope scope, boolean optional)
      throws SqlServerError {
    if (arguments.size() != 2 || !Types.isInteger(arguments.get(0).type())) {
      throw Errors.badSyntax("GENERATE_SERIES");
    }
    Typed first = arguments.get(0);
    Typed last = translation.coercion().implicit(arguments.get(1), first.type());
    String sql =
        "SELECT CAST(X AS "
            + Types.h2(first.type())
            + ") FROM SYSTEM_RANGE("
            + translation.sql(first)
            + ", "
            + translation.sql(last)
            + ")";
    Output value = new Output("value", first.type(), false, null);
    return subselect(sql, exposed, List.of(value), scope, optional);
  }
}

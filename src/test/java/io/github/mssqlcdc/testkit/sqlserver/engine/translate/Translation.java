package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of one statement's translation, and the translators that share it. */
final class Translation {
  private final Environment environment;
  private final Bindings bindings = new Bindings();
  private final Ordering ordering;
  private final Coercion coercion;
  private final Arithmetic arithmetic;
  private final ExpressionTranslator expressions;
  private final QueryTranslator queries;
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, CommonTable> commonTables = new LinkedHashMap<>();
  private final Set<String> hints = new LinkedHashSet<>();
  private @Nullable Source target;
  private int aliases;

  Translation(Environment environment) {
    this.environment = environment;
    this.ordering = new Ordering(environment.catalog().collation());
    this.coercion = new Coercion(bindings, ordering);
    this.arithmetic = new Arithmetic(bindings, coercion);
    this.expressions = new ExpressionTranslator(this);
    this.queries = new QueryTranslator(this);
  }

  /** A common table expression by H2's name for it. */
  record CommonTable(String h2Name, List<Output> columns) {}

  /** How the database compares names. */
  TextOrder names() {
    return environment.catalog().names();
  }

  Environment environment() {
    return environment;
  }

  Bindings bindings() {
    return bindings;
  }

  Ordering ordering() {
    return ordering;
  }

  Coercion coercion() {
    return coercion;
  }

  Arithmetic arithmetic() {
    return arithmetic;
  }

  ExpressionTranslator expressions() {
    return expressions;
  }

  QueryTranslator queries() {
    return queries;
  }

  String sql(Typed typed) {
    return typed.sql(bindings);
  }

  /** A name for H2 that nothing else in the statement has. */
  String alias() {
    return "T" + ++aliases;
  }

  void read(Source source, Set<String> tableHints) {
    sources.add(source);
    hints.addAll(tableHints);
  }

  /** The target of an UPDATE or DELETE: SELECT is asked for only if its columns are read. */
  void change(Source source) {
    target = source;
  }

  void define(String name, CommonTable table) {
    commonTables.put(name, table);
  }

  @Nullable CommonTable commonTable(String name) {
    return commonTables.keySet().stream()
        .filter(known -> names().same(known, name))
        .findFirst()
        .map(commonTables::get)
        .orElse(null);
  }

  /** Checks SELECT on what was read; call it when all is translated. */
  void checkReads() throws SqlServerError {
    for (Source source : sources) {
      if (source.table() != null) {
        environment.require("SELECT", source.table(), source.used());
      }
    }
    if (target != null && target.table() != null && !target.used().isEmpty()) {
      environment.require("SELECT", target.table(), target.used());
    }
  }

  List<Table> tablesRead() {
    List<Table> tables = new ArrayList<>();
    for (Source source : sources) {
      if (source.table() != null) {
        tables.add(source.table());
      }
    }
    return tables;
  }

  /** Clients are told a collation for each string. */
  private List<Output> collated(List<Output> columns) {
    return columns.stream()
        .map(
            column ->
                Types.isCharacter(column.type())
                    ? new Output(
                        column.name(),
                        Types.collated(column.type(), ordering.collation(column.type())),
                        column.nullable(),
                        column.variable())
                    : column)
        .toList();
  }

  H2Statement finish(String sql, List<Output> columns) throws SqlServerError {
    checkReads();
    return new H2Statement(sql, bindings.values(), collated(columns), tablesRead(), hints);
  }
}

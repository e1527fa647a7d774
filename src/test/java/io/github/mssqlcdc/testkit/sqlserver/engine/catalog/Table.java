package io.github.mssqlcdc.testkit.sqlserver.engine.catalog;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Expression;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table. DDL replaces it by another of the same id.
 *
 * @param lastColumnId the highest column id ever given, so that none is used twice
 * @param system made by the system, not by a user
 * @param names how the database compares names
 */
public record Table(
    int objectId,
    String schema,
    String name,
    List<Column> columns,
    List<Index> indexes,
    int lastColumnId,
    boolean system,
    LocalDateTime createdAt,
    TextOrder names) {

  /**
   * A column.
   *
   * @param computed null: stored
   * @param alias the alias type that it was declared with; null: a system type
   */
  public record Column(
      int columnId,
      String name,
      DataType type,
      boolean nullable,
      Definition.@Nullable Identity identity,
      @Nullable Default defaultValue,
      @Nullable Expression computed,
      @Nullable AliasType alias) {

    public Column(
        int columnId,
        String name,
        DataType type,
        boolean nullable,
        Definition.@Nullable Identity identity,
        @Nullable Default defaultValue,
        @Nullable Expression computed) {
      this(columnId, name, type, nullable, identity, defaultValue, computed, null);
    }

    public boolean stored() {
      return computed == null;
    }

    public Column withDefault(@Nullable Default value) {
      return new Column(columnId, name, type, nullable, identity, value, computed, alias);
    }

    public Column withType(DataType newType, boolean newNullable) {
      return new Column(
          columnId, name, newType, newNullable, identity, defaultValue, computed, alias);
    }
  }

  /** A default constraint. */
  public record Default(String constraint, Expression expression) {}

  /**
   * An index; those of a primary key or a unique constraint are one too.
   *
   * @param constraint whether a constraint of that name stands behind it
   */
  public record Index(
      int indexId,
      String name,
      boolean primaryKey,
      boolean constraint,
      boolean unique,
      boolean clustered,
      List<String> columns) {}

  public Optional<Column> column(String columnName) {
    return columns.stream().filter(c -> names.same(c.name(), columnName)).findFirst();
  }

  public Optional<Index> index(String indexName) {
    return indexes.stream().filter(i -> names.same(i.name(), indexName)).findFirst();
  }

  /** Columns that have a place in storage, in storage's order. */
  public List<Column> storedColumns() {
    return columns.stream().filter(Column::stored).toList();
  }

  public Table withColumns(List<Column> newColumns, int newLastColumnId) {
    return new Table(
        objectId, schema, name, newColumns, indexes, newLastColumnId, system, createdAt, names);
  }

  public Table withIndexes(List<Index> newIndexes) {
    return new Table(
        objectId, schema, name, columns, newIndexes, lastColumnId, system, createdAt, names);
  }

  /** Name for H2, quoted. */
  public String h2Name() {
    return quote(schema) + "." + quote(name);
  }

  public static String quote(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }
}

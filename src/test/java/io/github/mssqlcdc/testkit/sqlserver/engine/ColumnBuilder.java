package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.AliasType;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Translator;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Adds defined columns and keys to a table of the catalogue. */
final class ColumnBuilder {
  private final Translator translator;
  private final Catalog catalog;

  ColumnBuilder(Translator translator, Catalog catalog) {
    this.translator = translator;
    this.catalog = catalog;
  }

  Table withColumns(Table table, List<Definition.ColumnDefinition> definitions)
      throws SqlServerError {
    Table result = table;
    for (Definition.ColumnDefinition definition : definitions) {
      if (result.column(definition.name()).isPresent()) {
        throw new SqlServerError(
            2705,
            16,
            4,
            "Column names in each table must be unique. Column name '"
                + definition.name()
                + "' in table '"
                + table.name()
                + "' is specified more than once.");
      }
      int id = result.lastColumnId() + 1;
      List<Table.Column> columns = new ArrayList<>(result.columns());
      columns.add(column(result, id, definition));
      result = result.withColumns(columns, id);
    }
    return result;
  }

  private Table.Column column(Table table, int id, Definition.ColumnDefinition definition)
      throws SqlServerError {
    if (definition.computed() != null) {
      DataType type = translator.computedType(definition.computed(), table);
      return new Table.Column(id, definition.name(), type, true, null, null, definition.computed());
    }
    AliasType alias = alias(definition);
    DataType type = type(definition, alias);
    boolean key = definition.keys().stream().anyMatch(Definition.Key::primary);
    boolean required = key || definition.identity() != null;
    boolean rowVersion = type.name() == SqlTypeName.ROWVERSION;
    boolean allowed = alias == null || alias.nullable();
    boolean nullable =
        definition.nullable() == null ? !required && !rowVersion && allowed : definition.nullable();
    Definition.DefaultValue value = definition.defaultValue();
    Table.Default defaultValue =
        value == null
            ? null
            : new Table.Default(
                value.constraint() == null ? madeUp("DF", table, id) : value.constraint(),
                value.expression());
    return new Table.Column(
        id,
        definition.name(),
        type,
        nullable && !key,
        definition.identity(),
        defaultValue,
        null,
        alias);
  }

  private @Nullable AliasType alias(Definition.ColumnDefinition definition) throws SqlServerError {
    List<String> name = definition.typeName();
    if (name == null) {
      return null;
    }
    if (definition.type() != null) {
      return new AliasType(SystemTypes.SYSNAME, "sys", "sysname", definition.type(), false);
    }
    String own = name.get(name.size() - 1);
    return catalog
        .alias(name.size() == 1 ? "dbo" : name.get(name.size() - 2), own)
        .orElseThrow(
            () ->
                new SqlServerError(
                    2715,
                    16,
                    6,
                    "Column, parameter, or variable #1: Cannot find data type "
                        + String.join(".", name)
                        + "."));
  }

  private static DataType type(Definition.ColumnDefinition definition, @Nullable AliasType alias) {
    if (definition.type() != null) {
      return definition.type();
    }
    DataType base = Objects.requireNonNull(alias).base();
    return new DataType(
        base.name(), base.length(), base.precision(), base.scale(), definition.collation());
  }

  /** A name as SQL Server makes them up: {@code PK__orders__35BCFE0A}. */
  private static String madeUp(String prefix, Table table, int number) {
    return "%s__%s__%08X"
        .formatted(prefix, table.name(), table.objectId() * 31 + number)
        .toUpperCase(Locale.ROOT)
        .replace(table.name().toUpperCase(Locale.ROOT), table.name());
  }

  /** The keys as indexes; their columns become NOT NULL if they are a primary key's. */
  Table withKeys(Table table, List<Definition.Key> keys) throws SqlServerError {
    Table result = table;
    for (Definition.Key key : keys) {
      int id = nextIndexId(result, key.clustered());
      String prefix = key.primary() ? "PK" : "UQ";
      String name = key.name() == null ? madeUp(prefix, table, id) : key.name();
      Table.Index index =
          new Table.Index(
              id,
              name,
              key.primary(),
              true,
              true,
              key.clustered(),
              columnNames(result, key.columns()));
      result = key.primary() ? required(result, index.columns()) : result;
      List<Table.Index> indexes = new ArrayList<>(result.indexes());
      indexes.add(index);
      result = result.withIndexes(indexes);
    }
    return result;
  }

  static int nextIndexId(Table table, boolean clustered) {
    int last = table.indexes().stream().mapToInt(Table.Index::indexId).max().orElse(0);
    return clustered ? 1 : Math.max(1, last) + 1;
  }

  /** The columns' names as the table spells them. */
  static List<String> columnNames(Table table, List<String> names) throws SqlServerError {
    List<String> spelled = new ArrayList<>();
    for (String name : names) {
      spelled.add(
          table.column(name).map(Table.Column::name).orElseThrow(() -> Errors.unknownColumn(name)));
    }
    return spelled;
  }

  private static Table required(Table table, List<String> names) {
    List<Table.Column> columns = new ArrayList<>();
    for (Table.Column column : table.columns()) {
      columns.add(names.contains(column.name()) ? column.withType(column.type(), false) : column);
    }
    return table.withColumns(columns, table.lastColumnId());
  }
}

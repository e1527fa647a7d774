package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.H2Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Translator;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** ALTER TABLE. What changes columns is told to Change Data Capture. */
final class AlterTableRunner {
  private final Session session;
  private final SessionEnvironment environment;
  private final Translator translator;
  private final StorageRunner storage;

  AlterTableRunner(Session session, SessionEnvironment environment, StorageRunner storage) {
    this.session = session;
    this.environment = environment;
    this.translator = new Translator(environment);
    this.storage = storage;
  }

  void run(Definition.AlterTable alter) throws SqlServerError {
    Table table = translator.table(alter.table());
    environment.require("ALTER", table, List.of());
    Definition.Alteration change = alter.change();
    Map<Integer, DataType> retyped = Map.of();
    if (change instanceof Definition.AddColumns add) {
      addColumns(table, add);
    } else if (change instanceof Definition.DropColumns drop) {
      dropColumns(table, drop);
    } else if (change instanceof Definition.AlterColumn column) {
      retyped = alterColumn(table, column);
    } else {
      dropConstraint(table, (Definition.DropConstraint) change);
      return;
    }
    DatabaseExtension extension = session.current().extension().orElse(null);
    if (extension != null && extension.tracks(table.objectId())) {
      extension.tableAltered(table.objectId(), alter.text(), retyped);
    }
  }

  private void put(Table table) {
    session.current().catalog().put(table);
  }

  private void addColumns(Table table, Definition.AddColumns add) throws SqlServerError {
    ColumnBuilder builder = new ColumnBuilder(translator, session.current().catalog());
    List<Definition.Key> keys = new ArrayList<>();
    add.columns().forEach(column -> keys.addAll(column.keys()));
    keys.addAll(add.keys());
    Table wider = builder.withColumns(table, add.columns());
    for (Table.Column column :
        wider.columns().subList(table.columns().size(), wider.columns().size())) {
      if (column.stored()) {
        addColumn(table, column);
      }
    }
    put(wider);
    Table keyed = builder.withKeys(wider, keys);
    for (Table.Index index :
        keyed.indexes().subList(wider.indexes().size(), keyed.indexes().size())) {
      storage.define(TableStore.createIndex(keyed, index));
    }
    put(keyed);
  }

  /** A required column begins as an optional one, until its default stands in every row. */
  private void addColumn(Table table, Table.Column column) throws SqlServerError {
    boolean fill = column.defaultValue() != null && !column.nullable();
    if (!column.nullable() && column.defaultValue() == null && column.identity() == null) {
      requireEmpty(table, column);
    }
    Table.Column first = fill ? column.withType(column.type(), true) : column;
    storage.define(List.of(TableStore.addColumn(table, first)));
    if (fill) {
      H2Statement update = translator.fill(table, column);
      session.current().update(List.of(new DatabaseStore.Statement(update.sql(), update.values())));
      storage.define(List.of(TableStore.setNotNull(table, column)));
    }
  }

  private void requireEmpty(Table table, Table.Column column) throws SqlServerError {
    boolean empty =
        session
            .current()
            .query("SELECT 1 FROM " + table.h2Name() + " FETCH FIRST ROW ONLY")
            .isEmpty();
    if (!empty) {
      throw new SqlServerError(
          4901,
          16,
          1,
          "ALTER TABLE only allows columns to be added that can contain nulls, or have a DEFAULT"
              + " definition specified, or the column being added is an identity or timestamp"
              + " column, or alternatively if none of the previous conditions are satisfied the"
              + " table must be empty to allow addition of this column. Column '"
              + column.name()
              + "' cannot be added to non-empty table '"
              + table.name()
              + "' because it does not satisfy these conditions.");
    }
  }

  private void dropColumns(Table table, Definition.DropColumns drop) throws SqlServerError {
    Table result = table;
    for (String name : drop.columns()) {
      Optional<Table.Column> column = result.column(name);
      if (column.isEmpty() && drop.ifExists()) {
        continue;
      }
      if (column.isEmpty()) {
        throw new SqlServerError(
            4924,
            16,
            1,
            "ALTER TABLE DROP COLUMN failed because column '"
                + name
                + "' does not exist in table '"
                + table.name()
                + "'.");
      }
      requireFree(table, column.get());
      if (column.get().stored()) {
        storage.define(List.of(TableStore.dropColumn(table, column.get().name())));
      }
      result =
          result.withColumns(
              result.columns().stream().filter(c -> c != column.get()).toList(),
              result.lastColumnId());
    }
    put(result);
  }

  private static void requireFree(Table table, Table.Column column) throws SqlServerError {
    boolean used =
        column.defaultValue() != null
            || table.indexes().stream().anyMatch(i -> i.columns().contains(column.name()));
    if (used) {
      throw new SqlServerError(
          4922,
          16,
          9,
          "ALTER TABLE DROP COLUMN "
              + column.name()
              + " failed because one or more objects access this column.");
    }
  }

  /** The column's new type by its id; nothing where that stays. */
  private Map<Integer, DataType> alterColumn(Table table, Definition.AlterColumn alter)
      throws SqlServerError {
    Table.Column column =
        table.column(alter.column()).orElseThrow(() -> Errors.unknownColumn(alter.column()));
    boolean key =
        table.indexes().stream()
            .anyMatch(i -> i.primaryKey() && i.columns().contains(column.name()));
    boolean nullable = alter.nullable() == null ? !key : alter.nullable();
    Table.Column changed = column.withType(alter.type(), nullable);
    storage.define(TableStore.alterColumn(table, changed));
    List<Table.Column> columns = new ArrayList<>();
    table.columns().forEach(c -> columns.add(c == column ? changed : c));
    put(table.withColumns(columns, table.lastColumnId()));
    return changed.type().equals(column.type())
        ? Map.of()
        : Map.of(column.columnId(), changed.type());
  }

  private void dropConstraint(Table table, Definition.DropConstraint drop) throws SqlServerError {
    Optional<Table.Index> index = table.index(drop.name()).filter(Table.Index::constraint);
    if (index.isPresent()) {
      storage.define(TableStore.dropIndex(table, index.get()));
      put(table.withIndexes(table.indexes().stream().filter(i -> i != index.get()).toList()));
      return;
    }
    List<Table.Column> columns = new ArrayList<>();
    boolean found = false;
    for (Table.Column column : table.columns()) {
      boolean its =
          column.defaultValue() != null
              && table.names().same(column.defaultValue().constraint(), drop.name());
      found |= its;
      columns.add(its ? column.withDefault(null) : column);
    }
    if (!found && !drop.ifExists()) {
      throw new SqlServerError(3728, 16, 1, "'" + drop.name() + "' is not a constraint.");
    }
    put(table.withColumns(columns, table.lastColumnId()));
  }
}

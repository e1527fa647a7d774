package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Translator;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Errors;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** CREATE and DROP of tables and indexes. */
final class TableRunner {
  private final Session session;
  private final SessionEnvironment environment;
  private final Translator translator;
  private final StorageRunner storage;

  TableRunner(Session session, SessionEnvironment environment, StorageRunner storage) {
    this.session = session;
    this.environment = environment;
    this.translator = new Translator(environment);
    this.storage = storage;
  }

  private Catalog catalog() {
    return session.current().catalog();
  }

  void create(Definition.CreateTable create) throws SqlServerError {
    String name = create.name().get(create.name().size() - 1);
    String wanted = create.name().size() == 1 ? "dbo" : create.name().get(create.name().size() - 2);
    requireRight(environment, "CREATE TABLE permission denied in database '");
    String schema =
        catalog()
            .schema(wanted)
            .orElseThrow(
                () ->
                    new SqlServerError(
                        2760,
                        16,
                        1,
                        "The specified schema name \""
                            + wanted
                            + "\" either does not exist or you do not have permission to use"
                            + " it."));
    if (name.startsWith("#")) {
      throw Errors.badSyntax(name);
    }
    if (catalog().table(schema, name).isPresent()) {
      throw new SqlServerError(
          2714, 16, 6, "There is already an object named '" + name + "' in the database.");
    }
    Table table = define(schema, name, create);
    storage.define(TableStore.create(table, session.current().recorderKey()));
    catalog().put(table);
  }

  private Table define(String schema, String name, Definition.CreateTable create)
      throws SqlServerError {
    Table empty =
        new Table(
            catalog().nextObjectId(),
            schema,
            name,
            List.of(),
            List.of(),
            0,
            false,
            session.clock().local(),
            catalog().names());
    ColumnBuilder builder = new ColumnBuilder(translator, catalog());
    List<Definition.Key> keys = new ArrayList<>();
    create.columns().forEach(column -> keys.addAll(column.keys()));
    keys.addAll(create.keys());
    return builder.withKeys(builder.withColumns(empty, create.columns()), keys);
  }

  /**
   * @throws SqlServerError 262 without db_owner or db_ddladmin
   */
  static void requireRight(SessionEnvironment environment, String denied) throws SqlServerError {
    if (!environment.isOwner() && !environment.caller().isMember("db_ddladmin")) {
      throw new SqlServerError(262, 14, 1, denied + environment.databaseName() + "'.");
    }
  }

  void drop(Definition.DropTable drop) throws SqlServerError {
    for (List<String> name : drop.names()) {
      String full = String.join(".", name);
      Optional<Table> table = find(name);
      if (table.isEmpty() && drop.ifExists()) {
        continue;
      }
      boolean allowed =
          table.isPresent()
              && (environment.isOwner() || environment.caller().isMember("db_ddladmin"));
      if (!allowed) {
        throw new SqlServerError(
            3701,
            11,
            5,
            "Cannot drop the table '"
                + full
                + "', because it does not exist or you do not have permission.");
      }
      storage.define(List.of(TableStore.drop(table.get())));
      catalog().remove(table.get().objectId());
      session
          .current()
          .extension()
          .ifPresent(extension -> extension.tableDropped(table.get().objectId()));
    }
  }

  private Optional<Table> find(List<String> name) {
    try {
      return Optional.of(translator.table(name));
    } catch (SqlServerError e) {
      return Optional.empty();
    }
  }

  void createIndex(Definition.CreateIndex create) throws SqlServerError {
    Table table = translator.table(create.table());
    environment.require("ALTER", table, List.of());
    if (table.index(create.name()).isPresent()) {
      throw new SqlServerError(
          1913,
          16,
          1,
          "The operation failed because an index or statistics with name '"
              + create.name()
              + "' already exists on table '"
              + table.name()
              + "'.");
    }
    Table.Index index =
        new Table.Index(
            ColumnBuilder.nextIndexId(table, create.clustered()),
            create.name(),
            false,
            false,
            create.unique(),
            create.clustered(),
            ColumnBuilder.columnNames(table, create.columns()));
    storage.define(TableStore.createIndex(table, index));
    List<Table.Index> indexes = new ArrayList<>(table.indexes());
    indexes.add(index);
    catalog().put(table.withIndexes(indexes));
  }

  void dropIndex(Definition.DropIndex drop) throws SqlServerError {
    Table table = translator.table(drop.table());
    environment.require("ALTER", table, List.of());
    Optional<Table.Index> index = table.index(drop.name()).filter(i -> !i.constraint());
    if (index.isEmpty() && drop.ifExists()) {
      return;
    }
    if (index.isEmpty()) {
      throw new SqlServerError(
          3701,
          11,
          7,
          "Cannot drop the index '"
              + table.name()
              + "."
              + drop.name()
              + "', because it does not exist or you do not have permission.");
    }
    storage.define(TableStore.dropIndex(table, index.get()));
    catalog()
        .put(table.withIndexes(table.indexes().stream().filter(i -> i != index.get()).toList()));
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.tsql.Definition;
import java.util.List;

/** Runs what changes the catalogue, each kind by its own runner. */
final class DefinitionRunner {
  private final TableRunner tables;
  private final AlterTableRunner alterations;
  private final DatabaseRunner databases;
  private final PrincipalRunner principals;
  private final Session session;
  private final StorageRunner storage;

  DefinitionRunner(Session session, Variables variables, ResponseSink out) {
    SessionEnvironment environment = new SessionEnvironment(session, variables);
    this.session = session;
    this.storage = new StorageRunner(session, out);
    this.tables = new TableRunner(session, environment, storage);
    this.alterations = new AlterTableRunner(session, environment, storage);
    this.databases = new DatabaseRunner(session);
    this.principals = new PrincipalRunner(session, environment);
  }

  void run(Definition definition) throws SqlServerError {
    if (definition instanceof Definition.CreateTable create) {
      tables.create(create);
    } else if (definition instanceof Definition.DropTable drop) {
      tables.drop(drop);
    } else if (definition instanceof Definition.CreateIndex create) {
      tables.createIndex(create);
    } else if (definition instanceof Definition.DropIndex drop) {
      tables.dropIndex(drop);
    } else if (definition instanceof Definition.AlterTable alter) {
      alterations.run(alter);
    } else if (definition instanceof Definition.CreateType create) {
      createType(create);
    } else if (definition instanceof Definition.CreateSchema create) {
      createSchema(create.name());
    } else if (definition instanceof Definition.DropSchema drop) {
      dropSchema(drop);
    } else if (!databases.run(definition) && !principals.run(definition)) {
      throw new IllegalStateException("Unknown definition " + definition);
    }
  }

  private void createType(Definition.CreateType create) throws SqlServerError {
    List<String> name = create.name();
    String own = name.get(name.size() - 1);
    String schema = name.size() == 1 ? "dbo" : name.get(name.size() - 2);
    if (!session.current().catalog().addAlias(schema, own, create.base(), create.nullable())) {
      throw new SqlServerError(
          219,
          16,
          1,
          "The type '"
              + String.join(".", name)
              + "' already exists, or you do not"
              + " have permission to create it.");
    }
  }

  private void createSchema(String name) throws SqlServerError {
    if (session.current().catalog().schema(name).isPresent()) {
      throw new SqlServerError(
          2714, 16, 6, "There is already an object named '" + name + "' in the database.");
    }
    storage.define(List.of("CREATE SCHEMA IF NOT EXISTS " + Table.quote(name)));
    session.current().catalog().addSchema(name);
  }

  private void dropSchema(Definition.DropSchema drop) throws SqlServerError {
    boolean known = session.current().catalog().schema(drop.name()).isPresent();
    if (!known && drop.ifExists()) {
      return;
    }
    if (!known) {
      throw new SqlServerError(
          15151,
          16,
          1,
          "Cannot drop the schema '"
              + drop.name()
              + "', because it does not exist or you do not have permission.");
    }
    boolean used =
        session.current().catalog().tables().stream()
            .anyMatch(
                table -> session.current().catalog().names().same(table.schema(), drop.name()));
    if (used) {
      throw new SqlServerError(
          3729,
          16,
          1,
          "Cannot drop schema '" + drop.name() + "' because it is being referenced by an object.");
    }
    session.current().catalog().dropSchema(drop.name());
  }
}

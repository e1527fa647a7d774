package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Environment;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.TableFunction;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.Typed;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session as the translator sees it, at the moment a statement begins. */
final class SessionEnvironment implements Environment {
  private final Session session;
  private final Database database;
  private final Variables variables;
  private final CallerContext caller;
  private final OffsetDateTime now;

  SessionEnvironment(Session session, Variables variables) {
    this.session = session;
    this.database = session.current();
    this.variables = variables;
    this.caller = new CallerContext(session, database);
    this.now = session.clock().now();
  }

  CallerContext caller() {
    return caller;
  }

  @Override
  public Catalog catalog() {
    return database.catalog();
  }

  @Override
  public String databaseName() {
    return database.name();
  }

  @Override
  public @Nullable Integer databaseId(String name) {
    return session.engine().databases().find(name).map(Database::id).orElse(null);
  }

  @Override
  public Optional<SystemView> systemView(String schema, String name) throws SqlServerError {
    TextOrder names = database.catalog().names();
    String stored = name.toLowerCase(Locale.ROOT);
    return names.same(schema, "sys") && names.same(name, stored)
        ? new SystemViews(session, database, caller).open(stored)
        : Optional.empty();
  }

  @Override
  public Optional<TableFunction> tableFunction(List<String> name, List<Typed> arguments)
      throws SqlServerError {
    return new ChangeFunctions(database, caller).find(name, arguments);
  }

  @Override
  public void require(String permission, Table table, List<String> columns) throws SqlServerError {
    boolean some =
        caller.holds(permission, table, null)
            || table.columns().stream().anyMatch(c -> caller.holds(permission, table, c.name()));
    String where =
        "the object '"
            + table.name()
            + "', database '"
            + database.name()
            + "', schema '"
            + table.schema()
            + "'.";
    if (!some) {
      throw new SqlServerError(
          229, 14, 5, "The " + permission + " permission was denied on " + where);
    }
    for (String column : columns) {
      if (!caller.holds(permission, table, column)) {
        throw new SqlServerError(
            230,
            14,
            1,
            "The "
                + permission
                + " permission was denied on the column '"
                + column
                + "' of "
                + where);
      }
    }
  }

  @Override
  public boolean canSelect(Table table, String column) {
    return caller.holds("SELECT", table, column);
  }

  @Override
  public boolean holds(String permission, @Nullable Table table) {
    return table == null
        ? caller.holdsOnDatabase(permission)
        : caller.holds(permission, table, null);
  }

  @Override
  public boolean holds(String permission, Table table, String column) {
    return caller.holds(permission, table, column);
  }

  @Override
  public boolean isOwner() {
    return caller.isDbOwner();
  }

  @Override
  public List<String> roles() {
    return caller.roles();
  }

  @Override
  public Typed variable(String name) throws SqlServerError {
    Variables.Variable variable = variables.get(name);
    return Typed.bound(variable.value(), variable.type());
  }

  @Override
  public Optional<Typed> global(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "@@SPID" -> integer(DataType.of(SqlTypeName.SMALLINT), session.spid());
      case "@@TRANCOUNT" -> integer(Types.INT, session.transactions().nesting());
      case "@@ROWCOUNT" -> integer(Types.INT, (int) session.rowCount());
      case "@@ERROR" -> integer(Types.INT, session.lastError());
      case "@@LOCK_TIMEOUT" -> integer(Types.INT, session.options().lockTimeoutMs());
      case "@@SERVERNAME" -> text("STANDIN");
      case "@@VERSION" ->
          text(
              "Microsoft SQL "
                  + (product().azure() ? "Azure" : "Server")
                  + " (stand-in for tests) - "
                  + product().majorVersion()
                  + ".0.4000.0 (X64) "
                  + product().edition());
      default -> Optional.empty();
    };
  }

  private static Optional<Typed> integer(DataType type, int value) {
    return Optional.of(Typed.bound(value, type));
  }

  private static Optional<Typed> text(String value) {
    return Optional.of(Typed.bound(value, DataType.of(SqlTypeName.NVARCHAR, 300)));
  }

  @Override
  public OffsetDateTime now() {
    return now;
  }

  @Override
  public String timeZoneId() {
    return WindowsZones.idOf(session.clock().zone());
  }

  @Override
  public Product product() {
    return session.engine().product();
  }

  @Override
  public String login() {
    return session.login();
  }

  @Override
  public String user() {
    return caller.userName();
  }
}

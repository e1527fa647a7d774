package io.github.mssqlcdc.testkit.sqlserver.engine.translate;

import io.github.mssqlcdc.testkit.sqlserver.backend.Product;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Catalog;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a statement is translated in: database, session, moment. */
public interface Environment {
  Catalog catalog();

  String databaseName();

  @Nullable Integer databaseId(String name);

  /** A view of {@code sys} with its rows as they are now. */
  Optional<SystemView> systemView(String schema, String name) throws SqlServerError;

  /** A table-valued function of the system; empty if there is none of this name. */
  Optional<TableFunction> tableFunction(List<String> name, List<Typed> arguments)
      throws SqlServerError;

  /**
   * @throws SqlServerError 229 or 230 if the caller lacks the permission on one of these columns
   */
  void require(String permission, Table table, List<String> columns) throws SqlServerError;

  boolean canSelect(Table table, String column);

  /** Whether the caller holds a permission on the database ({@code table} null) or on a table. */
  boolean holds(String permission, @Nullable Table table);

  boolean holds(String permission, Table table, String column);

  /** Whether the caller owns the database, by role or as sysadmin. */
  boolean isOwner();

  /** Roles that the caller is in. */
  List<String> roles();

  /**
   * @throws SqlServerError 137 if it isn't declared
   */
  Typed variable(String name) throws SqlServerError;

  /** {@code @@SPID} and the like. */
  Optional<Typed> global(String name);

  /** The moment at which the statement began, at the server's offset. */
  OffsetDateTime now();

  /** IANA or Windows id of the server's zone, as CURRENT_TIMEZONE_ID() tells it. */
  String timeZoneId();

  /** What the server is. */
  Product product();

  String login();

  /** The database user that the login is here. */
  String user();
}

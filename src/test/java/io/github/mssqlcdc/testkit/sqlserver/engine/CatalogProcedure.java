package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink.StatementKind;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.SqlFunctions;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The catalogue procedures that a driver's metadata calls use: {@code sp_tables, sp_pkeys}. */
final class CatalogProcedure implements SystemProcedure {
  private final Session session;
  private final Kind kind;

  private CatalogProcedure(Session session, Kind kind) {
    this.session = session;
    this.kind = kind;
  }

  private enum Kind {
    SP_TABLES("@table_name", "@table_owner", "@table_qualifier", "@table_type", "@fUsePattern"),
    SP_PKEYS("@table_name", "@table_owner", "@table_qualifier");

    private final List<String> parameters;

    Kind(String... parameters) {
      this.parameters = List.of(parameters);
    }
  }

  /**
   * @param name in lower case
   */
  static Optional<SystemProcedure> find(String name, Session session) {
    for (Kind kind : Kind.values()) {
      if (kind.name().equalsIgnoreCase(name)) {
        return Optional.of(new CatalogProcedure(session, kind));
      }
    }
    return Optional.empty();
  }

  @Override
  public String name() {
    return kind.name().toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public List<String> parameters() {
    return kind.parameters;
  }

  @Override
  public int call(
      SessionContext caller, Map<String, @Nullable Object> arguments, ResponseSink out) {
    Pattern pattern =
        new Pattern(text(arguments.get("@table_owner")), text(arguments.get("@table_name")));
    send(kind == Kind.SP_TABLES ? tables(pattern) : keys(pattern), out);
    return 0;
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  static void send(SystemView view, ResponseSink out) {
    out.columns(view.columns());
    for (@Nullable Object[] row : view.rows()) {
      if (!out.row(row)) {
        return;
      }
    }
    out.done(StatementKind.SELECT, view.rows().size());
  }

  private SystemView tables(Pattern pattern) {
    ViewBuilder view =
        new ViewBuilder()
            .nullable("TABLE_QUALIFIER", Types.SYSNAME)
            .nullable("TABLE_OWNER", Types.SYSNAME)
            .nullable("TABLE_NAME", Types.SYSNAME)
            .nullable("TABLE_TYPE", ViewBuilder.DESCRIPTION)
            .nullable("REMARKS", ViewBuilder.DESCRIPTION);
    Database database = session.current();
    for (Table table : pattern.tables(session)) {
      view.row(database.name(), table.schema(), table.name(), "TABLE", null);
    }
    return view.build();
  }

  private SystemView keys(Pattern pattern) {
    ViewBuilder view =
        new ViewBuilder()
            .nullable("TABLE_QUALIFIER", Types.SYSNAME)
            .nullable("TABLE_OWNER", Types.SYSNAME)
            .column("TABLE_NAME", Types.SYSNAME)
            .column("COLUMN_NAME", Types.SYSNAME)
            .column("KEY_SEQ", ViewBuilder.SMALLINT)
            .nullable("PK_NAME", Types.SYSNAME);
    for (Table table : pattern.tables(session)) {
      for (Table.Index index : table.indexes()) {
        for (int i = 0; index.primaryKey() && i < index.columns().size(); i++) {
          view.row(
              session.current().name(),
              table.schema(),
              table.name(),
              index.columns().get(i),
              i + 1,
              index.name());
        }
      }
    }
    return view.build();
  }

  /** Schema and table as LIKE takes them; null: any. */
  record Pattern(@Nullable String schema, @Nullable String table) {

    /** The tables that the caller may see, by schema and name. */
    List<Table> tables(Session session) {
      Database database = session.current();
      CallerContext caller = new CallerContext(session, database);
      List<Table> found = new ArrayList<>();
      for (Table table : database.catalog().tables()) {
        if (matches(table.schema(), schema)
            && matches(table.name(), this.table)
            && table.columns().stream().anyMatch(c -> caller.holds("SELECT", table, c.name()))) {
          found.add(table);
        }
      }
      found.sort(java.util.Comparator.comparing(Table::schema).thenComparing(Table::name));
      return found;
    }

    private static boolean matches(String name, @Nullable String pattern) {
      return pattern == null
          || name.equalsIgnoreCase(pattern)
          || Objects.requireNonNullElse(SqlFunctions.like(name, pattern, "\\", true), false);
    }
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.AliasType;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.translate.SystemView;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The views of {@code sys}: fewer columns than SQL Server has, in the same types. */
final class SystemViews {
  private static final String SESSION_WAITS = "dm_exec_session_wait_stats";
  private static final String VIEW_STATE = "VIEW DATABASE STATE";

  private final Session session;
  private final Database database;
  private final CallerContext caller;

  SystemViews(Session session, Database database, CallerContext caller) {
    this.session = session;
    this.database = database;
    this.caller = caller;
  }

  /**
   * @param name in lower case
   * @throws SqlServerError 262 if the caller may not read a view that others may
   */
  Optional<SystemView> open(String name) throws SqlServerError {
    if (name.equals(SESSION_WAITS)
        && session.engine().product().azure()
        && !caller.holdsOnDatabase(VIEW_STATE)) {
      throw new SqlServerError(
          262, 14, 1, VIEW_STATE + " permission denied in database '" + database.name() + "'.");
    }
    return find(name);
  }

  private Optional<SystemView> find(String name) {
    return switch (name) {
      case "databases" -> Optional.of(databases());
      case "schemas" -> Optional.of(schemas());
      case "tables", "objects", "all_objects" -> Optional.of(tables());
      case "columns", "all_columns" -> Optional.of(columns());
      case "types" -> Optional.of(types());
      case "indexes" -> Optional.of(indexes());
      case "index_columns" -> Optional.of(indexColumns());
      case "database_principals" -> Optional.of(principals());
      case "dm_exec_sessions" -> Optional.of(sessions());
      case SESSION_WAITS -> Optional.of(waits());
      case "dm_server_services" -> Optional.of(services());
      default -> Optional.empty();
    };
  }

  private SystemView databases() {
    ViewBuilder view =
        new ViewBuilder()
            .column("name", Types.SYSNAME)
            .column("database_id", Types.INT)
            .column("create_date", Types.DATETIME)
            .column("compatibility_level", ViewBuilder.TINYINT)
            .nullable("collation_name", Types.SYSNAME)
            .column("state", ViewBuilder.TINYINT)
            .column("state_desc", ViewBuilder.DESCRIPTION)
            .column("is_read_only", Types.BIT)
            .column("snapshot_isolation_state", ViewBuilder.TINYINT)
            .column("snapshot_isolation_state_desc", ViewBuilder.DESCRIPTION)
            .column("is_read_committed_snapshot_on", Types.BIT)
            .column("recovery_model_desc", ViewBuilder.DESCRIPTION)
            .column("is_cdc_enabled", Types.BIT);
    for (Database each : session.engine().databases().all()) {
      boolean snapshot = each.snapshotAllowed();
      view.row(
          each.name(),
          each.id(),
          each.createdAt(),
          compatibilityLevel(),
          each.catalog().collation(),
          0,
          "ONLINE",
          false,
          snapshot ? 1 : 0,
          snapshot ? "ON" : "OFF",
          each.readCommittedSnapshot(),
          "FULL",
          each.extension().map(DatabaseExtension::enabled).orElse(false));
    }
    return view.build();
  }

  private int compatibilityLevel() {
    var product = session.engine().product();
    return product.azure() ? 170 : product.majorVersion() * 10;
  }

  private SystemView schemas() {
    ViewBuilder view =
        new ViewBuilder()
            .column("name", Types.SYSNAME)
            .column("schema_id", Types.INT)
            .column("principal_id", Types.INT);
    database.catalog().schemas().forEach((name, id) -> view.row(name, id, 1));
    return view.build();
  }

  /** Only what the caller may see: metadata is hidden from who has no permission on it. */
  private List<Table> visible() {
    List<Table> visible = new ArrayList<>();
    for (Table table : database.catalog().tables()) {
      boolean seen =
          caller.isDbOwner()
              || table.columns().stream().anyMatch(c -> caller.holds("SELECT", table, c.name()));
      if (seen) {
        visible.add(table);
      }
    }
    return visible;
  }

  private SystemView tables() {
    ViewBuilder view =
        new ViewBuilder()
            .column("name", Types.SYSNAME)
            .column("object_id", Types.INT)
            .column("schema_id", Types.INT)
            .column("type", ViewBuilder.TYPE)
            .column("type_desc", ViewBuilder.DESCRIPTION)
            .column("create_date", Types.DATETIME)
            .column("modify_date", Types.DATETIME)
            .column("is_ms_shipped", Types.BIT)
            .column("is_tracked_by_cdc", Types.BIT);
    for (Table table : visible()) {
      boolean tracked = database.extension().map(e -> e.tracks(table.objectId())).orElse(false);
      view.row(
          table.name(),
          table.objectId(),
          database.catalog().schemaId(table.schema()),
          "U ",
          "USER_TABLE",
          table.createdAt(),
          table.createdAt(),
          table.system(),
          tracked);
    }
    return view.build();
  }

  private SystemView columns() {
    ViewBuilder view =
        new ViewBuilder()
            .column("object_id", Types.INT)
            .nullable("name", Types.SYSNAME)
            .column("column_id", Types.INT)
            .column("system_type_id", ViewBuilder.TINYINT)
            .column("user_type_id", Types.INT)
            .column("max_length", ViewBuilder.SMALLINT)
            .column("precision", ViewBuilder.TINYINT)
            .column("scale", ViewBuilder.TINYINT)
            .nullable("collation_name", Types.SYSNAME)
            .column("is_nullable", Types.BIT)
            .column("is_identity", Types.BIT)
            .column("is_computed", Types.BIT)
            .nullable("encryption_type", Types.INT)
            .column("is_masked", Types.BIT);
    for (Table table : visible()) {
      for (Table.Column column : table.columns()) {
        int type = SystemTypes.id(column.type().name());
        AliasType alias = column.alias();
        view.row(
            table.objectId(),
            column.name(),
            column.columnId(),
            type,
            alias == null ? type : alias.id(),
            SystemTypes.maxLength(column.type()),
            SystemTypes.precision(column.type()),
            SystemTypes.scale(column.type()),
            collation(column),
            column.nullable(),
            column.identity() != null,
            !column.stored(),
            null,
            false);
      }
    }
    return view.build();
  }

  private @Nullable String collation(Table.Column column) {
    if (!Types.isCharacter(column.type()) || column.type().name() == SqlTypeName.XML) {
      return null;
    }
    String own = column.type().collation();
    return own == null ? database.catalog().collation() : own;
  }

  /** An alias type is seen by its owner only; system types by all. */
  private SystemView types() {
    ViewBuilder view =
        new ViewBuilder()
            .column("name", Types.SYSNAME)
            .column("system_type_id", ViewBuilder.TINYINT)
            .column("user_type_id", Types.INT)
            .column("schema_id", Types.INT)
            .column("is_user_defined", Types.BIT);
    for (SqlTypeName name : SqlTypeName.values()) {
      int id = SystemTypes.id(name);
      String text = name == SqlTypeName.ROWVERSION ? "timestamp" : name.name();
      view.row(text.toLowerCase(java.util.Locale.ROOT), id, id, 4, false);
    }
    int nvarchar = SystemTypes.id(SqlTypeName.NVARCHAR);
    view.row("sysname", nvarchar, SystemTypes.SYSNAME, 4, false);
    if (caller.isDbOwner()) {
      for (AliasType alias : database.catalog().aliases()) {
        int base = SystemTypes.id(alias.base().name());
        int schema = database.catalog().schemaId(alias.schema());
        view.row(alias.name(), base, alias.id(), schema, true);
      }
    }
    return view.build();
  }

  private SystemView indexes() {
    ViewBuilder view =
        new ViewBuilder()
            .column("object_id", Types.INT)
            .nullable("name", Types.SYSNAME)
            .column("index_id", Types.INT)
            .column("type", ViewBuilder.TINYINT)
            .column("type_desc", ViewBuilder.DESCRIPTION)
            .column("is_unique", Types.BIT)
            .column("is_primary_key", Types.BIT)
            .column("is_unique_constraint", Types.BIT);
    for (Table table : visible()) {
      if (table.indexes().stream().noneMatch(Table.Index::clustered)) {
        view.row(table.objectId(), null, 0, 0, "HEAP", false, false, false);
      }
      for (Table.Index index : table.indexes()) {
        view.row(
            table.objectId(),
            index.name(),
            index.indexId(),
            index.clustered() ? 1 : 2,
            index.clustered() ? "CLUSTERED" : "NONCLUSTERED",
            index.unique(),
            index.primaryKey(),
            index.constraint() && !index.primaryKey());
      }
    }
    return view.build();
  }

  private SystemView indexColumns() {
    ViewBuilder view =
        new ViewBuilder()
            .column("object_id", Types.INT)
            .column("index_id", Types.INT)
            .column("index_column_id", Types.INT)
            .column("column_id", Types.INT)
            .column("key_ordinal", ViewBuilder.TINYINT)
            .column("partition_ordinal", ViewBuilder.TINYINT)
            .column("is_descending_key", Types.BIT)
            .column("is_included_column", Types.BIT);
    for (Table table : visible()) {
      for (Table.Index index : table.indexes()) {
        for (int i = 0; i < index.columns().size(); i++) {
          int column = table.column(index.columns().get(i)).orElseThrow().columnId();
          view.row(table.objectId(), index.indexId(), i + 1, column, i + 1, 0, false, false);
        }
      }
    }
    return view.build();
  }

  private SystemView principals() {
    ViewBuilder view =
        new ViewBuilder()
            .column("name", Types.SYSNAME)
            .column("principal_id", Types.INT)
            .column("type", ViewBuilder.TYPE)
            .column("type_desc", ViewBuilder.DESCRIPTION);
    int id = 1;
    view.row("dbo", id, "S ", "SQL_USER");
    for (String user : database.catalog().security().users()) {
      view.row(user, ++id, "S ", "SQL_USER");
    }
    for (String role : database.catalog().security().roles()) {
      view.row(role, ++id, "R ", "DATABASE_ROLE");
    }
    return view.build();
  }

  private SystemView sessions() {
    ViewBuilder view =
        new ViewBuilder()
            .column("session_id", ViewBuilder.SMALLINT)
            .column("login_name", Types.SYSNAME)
            .nullable("program_name", Types.SYSNAME)
            .column("database_id", ViewBuilder.SMALLINT)
            .column("open_transaction_count", Types.INT);
    for (Session each : session.engine().sessions()) {
      if (each == session || caller.isSysadmin()) {
        view.row(
            each.spid(),
            each.login(),
            each.application(),
            each.current().id(),
            each.transactions().nesting());
      }
    }
    return view.build();
  }

  /** The caller's own session; a wait type appears with its first wait. */
  private SystemView waits() {
    ViewBuilder view =
        new ViewBuilder()
            .column("session_id", ViewBuilder.SMALLINT)
            .column("wait_type", ViewBuilder.DESCRIPTION)
            .column("waiting_tasks_count", Types.BIGINT)
            .column("wait_time_ms", Types.BIGINT)
            .column("max_wait_time_ms", Types.BIGINT)
            .column("signal_wait_time_ms", Types.BIGINT);
    WaitStatistics waits = session.waits();
    if (waits.waits() > 0) {
      view.row(
          session.spid(),
          "ASYNC_NETWORK_IO",
          waits.waits(),
          waits.totalMs(),
          waits.longestMs(),
          0L);
    }
    return view.build();
  }

  /** SQL Server Agent runs: captures and cleanups are its jobs. */
  private SystemView services() {
    return new ViewBuilder()
        .column("servicename", DataType.of(SqlTypeName.NVARCHAR, 256))
        .nullable("status", Types.INT)
        .nullable("status_desc", DataType.of(SqlTypeName.NVARCHAR, 256))
        .row("SQL Server Agent (MSSQLSERVER)", 4, "Running")
        .build();
  }
}

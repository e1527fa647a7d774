package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlTypeName;
import io.github.mssqlcdc.testkit.sqlserver.cdc.CdcSettings.LsnMapAccess;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import java.util.ArrayList;
import java.util.List;

/** The tables of schema {@code cdc} that come and go with CDC on the database. */
final class MetadataSchema {
  private final DatabaseStore store;
  private final List<Integer> tables = new ArrayList<>();

  MetadataSchema(DatabaseStore store) {
    this.store = store;
  }

  void create(LsnMapAccess access) {
    store.createSchema(Sql.SCHEMA);
    table("change_tables", changeTables(), "capture_instance");
    table("captured_columns", capturedColumns(), "object_id", "column_name");
    table("index_columns", indexColumns(), "object_id", "index_ordinal", "column_id");
    table("ddl_history", ddlHistory(), "object_id", "ddl_lsn");
    int map = table("lsn_time_mapping", lsnTimeMapping(), "start_lsn");
    if (access == LsnMapAccess.EVERYBODY) {
      store.grantSelectToPublic(map);
    }
  }

  void drop() {
    tables.forEach(store::dropTable);
    tables.clear();
  }

  private int table(String name, List<Column> columns, String... uniqueKey) {
    int id = store.createSystemTable(Sql.SCHEMA, name, columns, List.of(uniqueKey));
    tables.add(id);
    return id;
  }

  private static List<Column> changeTables() {
    return List.of(
        new Column("object_id", Types.INT, false),
        new Column("version", Types.INT, true),
        new Column("source_object_id", Types.INT, true),
        new Column("capture_instance", Types.SYSNAME, false),
        new Column("start_lsn", Types.LSN, true),
        new Column("end_lsn", Types.LSN, true),
        new Column("supports_net_changes", Types.BIT, true),
        new Column("has_drop_pending", Types.BIT, true),
        new Column("role_name", Types.SYSNAME, true),
        new Column("index_name", Types.SYSNAME, true),
        new Column("filegroup_name", Types.SYSNAME, true),
        new Column("create_date", Types.DATETIME, true),
        new Column("partition_switch", Types.BIT, false));
  }

  private static List<Column> capturedColumns() {
    return List.of(
        new Column("object_id", Types.INT, false),
        new Column("column_name", Types.SYSNAME, false),
        new Column("column_id", Types.INT, true),
        new Column("column_type", Types.SYSNAME, false),
        new Column("column_ordinal", Types.INT, false),
        new Column("is_computed", Types.BIT, true),
        new Column("masking_function", DataType.of(SqlTypeName.NVARCHAR, 4000), true));
  }

  private static List<Column> indexColumns() {
    return List.of(
        new Column("object_id", Types.INT, false),
        new Column("column_name", Types.SYSNAME, false),
        new Column("index_ordinal", Types.INT, false),
        new Column("column_id", Types.INT, false));
  }

  private static List<Column> ddlHistory() {
    return List.of(
        new Column("source_object_id", Types.INT, true),
        new Column("object_id", Types.INT, false),
        new Column("required_column_update", Types.BIT, true),
        new Column("ddl_command", Types.LONG_TEXT, true),
        new Column("ddl_lsn", Types.LSN, false),
        new Column("ddl_time", Types.DATETIME, true));
  }

  private static List<Column> lsnTimeMapping() {
    return List.of(
        new Column("start_lsn", Types.LSN, false),
        new Column("tran_begin_time", Types.DATETIME, true),
        new Column("tran_end_time", Types.DATETIME, true),
        new Column("tran_id", DataType.of(SqlTypeName.VARBINARY, 10), true),
        new Column("tran_begin_lsn", Types.LSN, true));
  }
}

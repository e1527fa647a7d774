package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore;
import io.github.mssqlcdc.testkit.sqlserver.engine.DatabaseStore.Statement;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code cdc.change_tables}, {@code captured_columns}, {@code index_columns} and {@code
 * ddl_history} say about an instance.
 */
final class InstanceMetadata {
  private static final String INSTANCES = Sql.cdcTable("change_tables");
  private static final String COLUMNS = Sql.cdcTable("captured_columns");
  private static final String INDEXES = Sql.cdcTable("index_columns");
  private static final String DDL = Sql.cdcTable("ddl_history");

  private final DatabaseStore store;

  InstanceMetadata(DatabaseStore store) {
    this.store = store;
  }

  List<Statement> insert(CaptureInstance instance) {
    List<Statement> statements = new ArrayList<>();
    statements.add(instanceRow(instance));
    for (ColumnInfo column : instance.columns()) {
      statements.add(columnRow(instance, column, statements.size()));
    }
    if (instance.index() != null) {
      for (String column : instance.index().columns()) {
        statements.add(indexRow(instance, instance.index(), column));
      }
    }
    return statements;
  }

  List<Statement> delete(CaptureInstance instance) {
    return List.of(DDL, INDEXES, COLUMNS, INSTANCES).stream()
        .map(
            table ->
                Sql.statement(
                    "DELETE FROM " + table + " WHERE object_id = ?", instance.changeTableId()))
        .toList();
  }

  byte @Nullable [] startLsn(CaptureInstance instance) {
    List<@Nullable Object[]> rows =
        store.query(
            "SELECT start_lsn FROM " + INSTANCES + " WHERE object_id = ?",
            instance.changeTableId());
    return rows.isEmpty() ? null : (byte[]) rows.get(0)[0];
  }

  /** The lowest start LSN of all instances; null if none has one. */
  byte @Nullable [] lowestStartLsn() {
    return (byte[]) store.query("SELECT MIN(start_lsn) FROM " + INSTANCES).get(0)[0];
  }

  Statement setStartLsn(CaptureInstance instance, byte[] lsn) {
    return Sql.statement(
        "UPDATE " + INSTANCES + " SET start_lsn = ? WHERE object_id = ?",
        lsn,
        instance.changeTableId());
  }

  /** Moves every low mark that is below this one up to it. */
  Statement raiseStartLsns(byte[] lsn) {
    return Sql.statement(
        "UPDATE " + INSTANCES + " SET start_lsn = ? WHERE start_lsn < ?", lsn, lsn);
  }

  List<Statement> columnTypes(CaptureInstance instance) {
    return instance.columns().stream()
        .map(
            column ->
                Sql.statement(
                    "UPDATE "
                        + COLUMNS
                        + " SET column_type = ? WHERE object_id = ? AND column_id = ?",
                    TypeFacts.of(column.type()).name(),
                    instance.changeTableId(),
                    column.columnId()))
        .toList();
  }

  Statement ddl(CaptureInstance instance, LogRecord.TableAltered altered, boolean requiredUpdate) {
    return Sql.statement(
        "INSERT INTO " + DDL + " VALUES (?, ?, ?, ?, ?, ?)",
        instance.sourceTableId(),
        instance.changeTableId(),
        requiredUpdate,
        altered.command(),
        altered.lsn().bytes(),
        ColumnValues.datetime(altered.at()));
  }

  /** Rows of required_column_update, ddl_command, ddl_lsn, ddl_time, by LSN. */
  List<@Nullable Object[]> ddlHistory(CaptureInstance instance) {
    return store.query(
        "SELECT required_column_update, ddl_command, ddl_lsn, ddl_time FROM "
            + DDL
            + " WHERE object_id = ? ORDER BY ddl_lsn",
        instance.changeTableId());
  }

  private static Statement instanceRow(CaptureInstance instance) {
    UniqueIndex index = instance.index();
    return Sql.statement(
        "INSERT INTO " + INSTANCES + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        instance.changeTableId(),
        0,
        instance.sourceTableId(),
        instance.name(),
        null,
        null,
        instance.supportsNetChanges(),
        false,
        instance.role(),
        index == null ? null : index.name(),
        instance.filegroup(),
        instance.createDate(),
        instance.partitionSwitch());
  }

  private static Statement columnRow(CaptureInstance instance, ColumnInfo column, int ordinal) {
    return Sql.statement(
        "INSERT INTO " + COLUMNS + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        instance.changeTableId(),
        column.name(),
        column.columnId(),
        TypeFacts.of(column.type()).name(),
        ordinal,
        column.computed(),
        null);
  }

  private static Statement indexRow(CaptureInstance instance, UniqueIndex index, String column) {
    return Sql.statement(
        "INSERT INTO " + INDEXES + " VALUES (?, ?, ?, ?)",
        instance.changeTableId(),
        column,
        index.columns().indexOf(column) + 1,
        instance.keyColumnId(column));
  }
}

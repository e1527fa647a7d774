package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A capture instance as it was created; its start LSN lives in {@code cdc.change_tables}.
 *
 * @param changeTableId object id of its change table
 * @param columns captured columns as they were then, in the table's order
 * @param index what identifies a row, if anything does
 * @param keyColumnIds ids of the index columns by name
 * @param enabledAt commit LSN of the transaction that created it: commits after it are captured
 */
record CaptureInstance(
    String name,
    int changeTableId,
    int sourceTableId,
    String sourceSchema,
    String sourceTable,
    List<ColumnInfo> columns,
    @Nullable UniqueIndex index,
    Map<String, Integer> keyColumnIds,
    @Nullable String role,
    @Nullable String filegroup,
    boolean supportsNetChanges,
    boolean partitionSwitch,
    LocalDateTime createDate,
    LogLsn enabledAt) {

  String changeTable() {
    return name + "_CT";
  }

  /** With other types of some columns, by their ids. */
  CaptureInstance retyped(Map<Integer, DataType> types) {
    return new CaptureInstance(
        name,
        changeTableId,
        sourceTableId,
        sourceSchema,
        sourceTable,
        columns.stream().map(column -> retyped(column, types.get(column.columnId()))).toList(),
        index,
        keyColumnIds,
        role,
        filegroup,
        supportsNetChanges,
        partitionSwitch,
        createDate,
        enabledAt);
  }

  private static ColumnInfo retyped(ColumnInfo column, @Nullable DataType type) {
    return type == null
        ? column
        : new ColumnInfo(
            column.columnId(),
            column.name(),
            type,
            column.nullable(),
            column.identity(),
            column.computed());
  }

  /** Id of a key column in the source table, captured or not. */
  int keyColumnId(String column) {
    return keyColumnIds.getOrDefault(column, 0);
  }
}

package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.Column;
import io.github.mssqlcdc.testkit.sqlserver.engine.catalog.Table;
import io.github.mssqlcdc.testkit.sqlserver.engine.value.TextOrder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Tables as the CDC engine sees and makes them. */
final class TableInfos {
  private TableInfos() {}

  static TableInfo of(Table table) {
    List<TableInfo.ColumnInfo> columns =
        table.columns().stream()
            .map(
                c ->
                    new TableInfo.ColumnInfo(
                        c.columnId(),
                        c.name(),
                        c.type(),
                        c.nullable(),
                        c.identity() != null,
                        !c.stored(),
                        c.alias() == null ? null : c.alias().name()))
            .toList();
    List<TableInfo.UniqueIndex> indexes =
        table.indexes().stream()
            .filter(Table.Index::unique)
            .sorted(Comparator.comparing(index -> !index.primaryKey()))
            .map(i -> new TableInfo.UniqueIndex(i.name(), i.primaryKey(), i.columns()))
            .toList();
    return new TableInfo(table.objectId(), table.schema(), table.name(), columns, indexes);
  }

  static Table systemTable(
      int objectId,
      String schema,
      String name,
      List<Column> columns,
      List<String> uniqueKey,
      LocalDateTime createdAt,
      TextOrder names) {
    List<Table.Column> own = new ArrayList<>();
    for (Column column : columns) {
      own.add(
          new Table.Column(
              own.size() + 1, column.name(), column.type(), column.nullable(), null, null, null));
    }
    List<Table.Index> indexes =
        uniqueKey.isEmpty()
            ? List.of()
            : List.of(
                new Table.Index(1, name + "_clustered_idx", false, false, true, true, uniqueKey));
    return new Table(objectId, schema, name, own, indexes, own.size(), true, createdAt, names);
  }
}

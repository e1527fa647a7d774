package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A capture instance to be: checked, but nothing is created yet. */
record InstanceSpec(
    String name,
    TableInfo source,
    List<ColumnInfo> columns,
    @Nullable UniqueIndex index,
    @Nullable String role,
    @Nullable String filegroup,
    boolean supportsNetChanges,
    boolean partitionSwitch) {

  Map<String, Integer> keyColumnIds() {
    Map<String, Integer> ids = new HashMap<>();
    if (index != null) {
      for (String key : index.columns()) {
        source.columns().stream()
            .filter(column -> column.name().equals(key))
            .forEach(column -> ids.put(key, column.columnId()));
      }
    }
    return ids;
  }
}

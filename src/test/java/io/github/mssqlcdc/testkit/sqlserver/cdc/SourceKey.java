package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.UniqueIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What identifies a row of the source table for CDC. */
final class SourceKey {
  private static final int MAX_NET_COLUMNS = 14;

  private SourceKey() {}

  /** The index asked for, else the primary key; null if there is neither. */
  static @Nullable UniqueIndex find(TableInfo table, @Nullable String asked) throws SqlServerError {
    if (asked == null || asked.isEmpty()) {
      return table.uniqueIndexes().stream()
          .filter(UniqueIndex::primaryKey)
          .findFirst()
          .orElse(null);
    }
    UniqueIndex index =
        table.uniqueIndexes().stream()
            .filter(found -> found.name().equalsIgnoreCase(asked))
            .findFirst()
            .orElseThrow(() -> EnableTableErrors.noIndex(asked, table));
    for (ColumnInfo column : table.columns()) {
      if (column.nullable() && contains(index, column)) {
        throw EnableTableErrors.nullableKey(asked, table);
      }
    }
    return index;
  }

  /** Checks what net changes need. */
  static void check(TableInfo table, @Nullable UniqueIndex index, List<ColumnInfo> captured)
      throws SqlServerError {
    if (index == null) {
      throw EnableTableErrors.netWithoutKey();
    }
    if (index.columns().size() > MAX_NET_COLUMNS) {
      throw EnableTableErrors.longKey(index.name(), table);
    }
    if (captured.stream().filter(column -> contains(index, column)).count()
        < index.columns().size()) {
      throw EnableTableErrors.keyNotCaptured();
    }
  }

  private static boolean contains(UniqueIndex index, ColumnInfo column) {
    return index.columns().contains(column.name());
  }
}

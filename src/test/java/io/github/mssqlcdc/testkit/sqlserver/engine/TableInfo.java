package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of the catalogue.
 *
 * @param objectId its object id
 * @param uniqueIndexes the primary key first, then the unique indexes
 */
public record TableInfo(
    int objectId,
    String schema,
    String name,
    List<ColumnInfo> columns,
    List<UniqueIndex> uniqueIndexes) {

  /**
   * @param columnId 1-based, never used again after a drop
   * @param alias name of the alias type it was declared with; null: a system type
   */
  public record ColumnInfo(
      int columnId,
      String name,
      DataType type,
      boolean nullable,
      boolean identity,
      boolean computed,
      @Nullable String alias) {
    public ColumnInfo(
        int columnId,
        String name,
        DataType type,
        boolean nullable,
        boolean identity,
        boolean computed) {
      this(columnId, name, type, nullable, identity, computed, null);
    }
  }

  /** An index by its name and its columns in index order. */
  public record UniqueIndex(String name, boolean primaryKey, List<String> columns) {}
}

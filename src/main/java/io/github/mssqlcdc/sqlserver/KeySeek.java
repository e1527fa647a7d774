package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to look for a key.
 *
 * @param columns of the key, in the order in which they are compared
 * @param filters which rows count
 * @param from the key at which counting begins, whose rows count as one; null: at the first row
 * @param through the last key that counts, and may be found; null: all do
 * @param rows how many come before the key that is looked for; 0 for the very first one
 */
public record KeySeek(
    List<KeyColumn> columns,
    List<ColumnFilter> filters,
    @Nullable KeyBound from,
    @Nullable KeyBound through,
    long rows) {

  public KeySeek {
    columns = List.copyOf(columns);
    filters = List.copyOf(filters);
    if (rows < (from == null ? 0 : 1)) {
      throw new IllegalArgumentException("Cannot look for a key before the first");
    }
  }

  /** A seek among all keys from one on. */
  public KeySeek(
      List<KeyColumn> columns, List<ColumnFilter> filters, @Nullable KeyBound from, long rows) {
    this(columns, filters, from, null, rows);
  }
}

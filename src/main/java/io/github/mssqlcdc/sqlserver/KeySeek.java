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
 * @param rows how many come before the key that is looked for
 */
public record KeySeek(
    List<KeyColumn> columns, List<ColumnFilter> filters, @Nullable KeyBound from, long rows) {

  public KeySeek {
    columns = List.copyOf(columns);
    filters = List.copyOf(filters);
    if (rows < 1) {
      throw new IllegalArgumentException("Cannot look for a key that no row comes before");
    }
  }
}

package io.github.mssqlcdc.keyrange;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose key is at or after one bound and before another: {@code [lo, hi)}, compared column by
 * column in the server's order of values, whatever an index's direction.
 *
 * @param columns what is compared, the leading column first
 * @param lo first key; null: open below, and keys with NULLs belong here
 * @param hi first key above; null: open above
 */
public record KeyRange(List<KeyColumn> columns, @Nullable KeyBound lo, @Nullable KeyBound hi)
    implements Serializable {

  public KeyRange {
    columns = List.copyOf(columns);
    requireWidth(columns, lo);
    requireWidth(columns, hi);
  }

  private static void requireWidth(List<KeyColumn> columns, @Nullable KeyBound bound) {
    if (bound != null && bound.values().size() != columns.size()) {
      throw new IllegalArgumentException(
          "A bound of " + bound.values().size() + " values for " + columns.size() + " columns");
    }
  }
}

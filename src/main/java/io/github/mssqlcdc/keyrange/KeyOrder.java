package io.github.mssqlcdc.keyrange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a table's rows are read, by a key that is unique and never NULL, and how far
 * they have been.
 *
 * @param columns of the key, the leading one first
 * @param after the rows up to this key have been read; null: none
 */
public record KeyOrder(List<KeyColumn> columns, @Nullable KeyBound after) {

  public KeyOrder {
    columns = List.copyOf(columns);
    if (after != null && after.values().size() != columns.size()) {
      throw new IllegalArgumentException("Key " + after + " isn't one of " + columns);
    }
  }
}

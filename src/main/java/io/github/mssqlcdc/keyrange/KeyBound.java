package io.github.mssqlcdc.keyrange;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key at which a table is cut: one value per key column, as text that the column's own type
 * reads. A null among them is the value NULL, which comes before all others.
 */
public record KeyBound(List<@Nullable String> values) implements Serializable {
  private static final char REPLACED = '\uFFFD';

  public KeyBound {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("A bound needs a value");
    }
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  /**
   * Whether it surely is the key that the server has. Half of a surrogate pair, which a text on the
   * server may hold, reaches no client: it reads as U+FFFD, which may stand elsewhere in the
   * server's order.
   */
  public boolean isExact() {
    return values.stream().allMatch(value -> value == null || value.indexOf(REPLACED) < 0);
  }

  /** A bound of one column. */
  public static KeyBound of(String value) {
    return new KeyBound(List.of(value));
  }
}

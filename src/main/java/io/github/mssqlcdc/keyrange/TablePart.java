package io.github.mssqlcdc.keyrange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are read: those that are in the range and satisfy every filter, up to the
 * limit, whichever.
 *
 * @param range null: the whole table
 * @param limit the most rows; null: all
 * @param order in which they come, and after which key; null: as they like
 */
public record TablePart(
    @Nullable KeyRange range,
    List<ColumnFilter> filters,
    @Nullable Integer limit,
    @Nullable KeyOrder order) {
  public static final TablePart WHOLE = of(null);

  public TablePart {
    filters = List.copyOf(filters);
  }

  /** Rows in any order. */
  public TablePart(@Nullable KeyRange range, List<ColumnFilter> filters, @Nullable Integer limit) {
    this(range, filters, limit, null);
  }

  /** All rows of a range. */
  public static TablePart of(@Nullable KeyRange range) {
    return new TablePart(range, List.of(), null);
  }

  /** The same rows in the order of these columns, a key that is unique and never NULL. */
  public TablePart inOrder(List<KeyColumn> columns) {
    return new TablePart(range, filters, limit, new KeyOrder(columns, null));
  }

  /** Its rows after this key of the order. */
  public TablePart after(KeyBound key) {
    if (order == null) {
      throw new IllegalStateException("Rows without an order");
    }
    return new TablePart(range, filters, limit, new KeyOrder(order.columns(), key));
  }
}

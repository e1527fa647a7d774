package io.github.mssqlcdc.keyrange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are read: those that are in the range and satisfy every filter, up to the
 * limit, whichever.
 *
 * @param range null: the whole table
 * @param limit the most rows; null: all
 */
public record TablePart(
    @Nullable KeyRange range, List<ColumnFilter> filters, @Nullable Integer limit) {
  public static final TablePart WHOLE = of(null);

  public TablePart {
    filters = List.copyOf(filters);
  }

  /** All rows of a range. */
  public static TablePart of(@Nullable KeyRange range) {
    return new TablePart(range, List.of(), null);
  }
}

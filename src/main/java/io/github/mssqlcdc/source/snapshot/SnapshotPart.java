package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a query wants of each range of the table.
 *
 * @param filters conditions that its rows satisfy
 * @param limit the most rows; null: all
 * @param order key in whose order the table is stored; none: there is no such key
 */
record SnapshotPart(List<ColumnFilter> filters, @Nullable Integer limit, List<KeyColumn> order)
    implements Serializable {

  SnapshotPart {
    filters = List.copyOf(filters);
    order = List.copyOf(order);
  }

  /**
   * The rows to read of a range, in order only where that costs the server no sort, whichever index
   * it reads them by: with all rows between two keys.
   *
   * @param range null: the whole table
   */
  TablePart of(@Nullable KeyRange range) {
    TablePart part = new TablePart(range, filters, limit);
    boolean isByKey = range == null || range.columns().equals(order);
    return !order.isEmpty() && isByKey && filters.isEmpty() && limit == null
        ? part.inOrder(order)
        : part;
  }

  /** For the plan that a user looks at. */
  String description() {
    String conditions =
        filters.isEmpty()
            ? ""
            : filters.stream()
                .map(ColumnFilter::toString)
                .collect(Collectors.joining(" AND ", " WHERE ", ""));
    return conditions + (limit == null ? "" : " LIMIT " + limit);
  }
}

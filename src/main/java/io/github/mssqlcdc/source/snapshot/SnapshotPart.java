package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.ColumnFilter;
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
 */
record SnapshotPart(List<ColumnFilter> filters, @Nullable Integer limit) implements Serializable {

  SnapshotPart {
    filters = List.copyOf(filters);
  }

  /**
   * @param range null: the whole table
   */
  TablePart of(@Nullable KeyRange range) {
    return new TablePart(range, filters, limit);
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

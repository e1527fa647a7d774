package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that differs.
 *
 * @param bucket number of its bucket among those compared
 * @param key as compact JSON
 * @param type what differs
 * @param silverLsn LSN of silver's image; null if silver has none
 * @param columns whose values differ; none where one side has no row
 * @param unknown those of them that silver's image doesn't carry
 */
record RowDifference(
    int bucket,
    String key,
    Type type,
    @Nullable String silverLsn,
    List<String> columns,
    List<String> unknown) {

  RowDifference inFlight() {
    return new RowDifference(bucket, key, Type.IN_FLIGHT, silverLsn, columns, unknown);
  }
}

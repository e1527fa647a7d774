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
 * @param sourceRows how many rows of the key the source has
 * @param silverRows how many silver has
 */
record RowDifference(
    int bucket,
    String key,
    Type type,
    @Nullable String silverLsn,
    List<String> columns,
    List<String> unknown,
    long sourceRows,
    long silverRows) {

  /** What is wrong with a key that has so many rows, if anything is. */
  static Type type(long sourceRows, long silverRows) {
    if (sourceRows == 0) {
      return Type.MISSING_SOURCE;
    }
    if (silverRows == 0) {
      return Type.MISSING_TARGET;
    }
    return sourceRows > 1 || silverRows > 1 ? Type.DUPLICATE : Type.RECORD_DIFF;
  }

  /** Whether a change on its way may be why, and isn't known to be. */
  boolean isOpen() {
    return type != Type.IN_FLIGHT && type != Type.DUPLICATE;
  }

  RowDifference inFlight() {
    return new RowDifference(
        bucket, key, Type.IN_FLIGHT, silverLsn, columns, unknown, sourceRows, silverRows);
  }
}

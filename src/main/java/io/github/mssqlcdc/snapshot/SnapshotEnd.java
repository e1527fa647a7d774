package io.github.mssqlcdc.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * What ended a snapshot.
 *
 * @param open number of the open that it ended; null for a snapshot that was found, not taken
 * @param how complete, or given up
 * @param rows its rows; null if unknown
 * @param bytes size of the values read; null if unknown
 * @param chunks how many chunks it has; 0 for a full one
 * @param targetId id of the Delta table that holds it; null where it wasn't kept
 */
public record SnapshotEnd(
    @Nullable Integer open,
    How how,
    @Nullable Long rows,
    @Nullable Long bytes,
    int chunks,
    @Nullable String targetId) {

  /** How a snapshot ends. */
  public enum How {
    COMPLETE,
    ABANDONED
  }

  /** Whether the snapshot is complete though it has no rows, as that of an empty table. */
  public boolean isOfNoRows() {
    return how == How.COMPLETE && rows != null && rows == 0;
  }
}

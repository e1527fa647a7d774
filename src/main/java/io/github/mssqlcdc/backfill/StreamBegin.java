package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * Where the changes begin that a stream reads: a snapshot from before would leave a gap.
 *
 * @param generation the one that the snapshot is for
 * @param lsn null: wherever the snapshot is
 * @param history history of the source that the snapshot must belong to, or a later one
 */
public record StreamBegin(int generation, @Nullable Lsn lsn, int history) {
  /** Of a stream that isn't there yet. */
  public static final StreamBegin ANYWHERE = new StreamBegin(0, null, 0);

  boolean isAtOrBefore(Lsn snapshot, int ofHistory) {
    return ofHistory > history || ofHistory == history && (lsn == null || !snapshot.isBefore(lsn));
  }
}

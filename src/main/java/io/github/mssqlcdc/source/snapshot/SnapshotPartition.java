package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * A part of the table with the stamp of its rows.
 *
 * @param range null: the whole table
 * @param chunk number of the chunk; null where the snapshot isn't read in chunks
 * @param stamp LSN recorded before the read
 * @param commitTs its commit time, UTC; null where it has none
 * @param stampedMaxLsn max LSN as read when the stamp was taken; null: the read doesn't compare
 */
record SnapshotPartition(
    @Nullable KeyRange range,
    @Nullable Integer chunk,
    Lsn stamp,
    @Nullable LocalDateTime commitTs,
    @Nullable Lsn stampedMaxLsn)
    implements InputPartition {

  /** The same stamp for a part of the table. */
  SnapshotPartition part(@Nullable KeyRange of, @Nullable Integer number) {
    return new SnapshotPartition(of, number, stamp, commitTs, stampedMaxLsn);
  }
}

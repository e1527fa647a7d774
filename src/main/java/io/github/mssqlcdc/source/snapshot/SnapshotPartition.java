package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.SqlServer.KeySlice;
import java.time.LocalDateTime;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * A slice of the table with the stamp of its rows.
 *
 * @param slice null: the whole table
 * @param stamp LSN recorded before the read
 * @param commitTs its commit time, UTC; null where it has none
 * @param stampedMaxLsn max LSN as read when the stamp was taken; null: the read doesn't compare
 */
record SnapshotPartition(
    @Nullable KeySlice slice,
    Lsn stamp,
    @Nullable LocalDateTime commitTs,
    @Nullable Lsn stampedMaxLsn)
    implements InputPartition {}

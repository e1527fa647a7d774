package io.github.mssqlcdc.options;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import org.jspecify.annotations.Nullable;

/**
 * Options of the format {@code mssql_cdc_snapshot}.
 *
 * @param source what both formats take
 * @param stamp position that the rows are stamped with; null: recorded when the read is planned
 * @param stampedMaxLsn max LSN as read when the stamp was taken; null: the read doesn't compare
 */
public record SnapshotOptions(
    SourceOptions source, @Nullable Offset stamp, @Nullable Lsn stampedMaxLsn) {}

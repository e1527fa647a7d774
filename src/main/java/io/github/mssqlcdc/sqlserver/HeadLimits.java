package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * How far a batch may go; the smallest limit holds.
 *
 * @param through no entry after this LSN (the target of AvailableNow); null: none
 * @param maxCommits entries of the LSN map, those of other tables and idle ones counted; null: no
 *     cap
 * @param maxRows change rows of the instance, in whole commits, at least one; null: no cap
 */
public record HeadLimits(@Nullable Lsn through, @Nullable Long maxCommits, @Nullable Long maxRows) {
  public static final HeadLimits NONE = new HeadLimits(null, null, null);
}

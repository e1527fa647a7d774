package io.github.mssqlcdc.bronze;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What bronze's rows of one batch say of it; times and LSNs are null without rows.
 *
 * @param rows rows of the batch
 * @param deletes rows of operation 1
 * @param inserts rows of operation 2
 * @param updates rows of operation 4
 */
public record BatchRows(
    long rows,
    long deletes,
    long inserts,
    long updates,
    @Nullable String minLsn,
    @Nullable String maxLsn,
    @Nullable LocalDateTime minCommitTs,
    @Nullable LocalDateTime maxCommitTs) {}

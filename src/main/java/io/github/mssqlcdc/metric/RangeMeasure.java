package io.github.mssqlcdc.metric;

import java.io.Serializable;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What reading one range told.
 *
 * @param rows rows handed on
 * @param bytes size of their values
 * @param deletes rows of operation 1
 * @param inserts rows of operation 2
 * @param updates rows of operation 4 (a before image is no change of its own)
 * @param minLsn canonical text of the lowest commit LSN read; null without rows
 * @param maxLsn of the highest
 * @param minCommitTs earliest commit time written, UTC; null without rows
 * @param maxCommitTs latest
 * @param seconds time spent reading
 * @param networkWaitMs the server session's wait on sending; null where it can't be known
 */
public record RangeMeasure(
    long rows,
    long bytes,
    long deletes,
    long inserts,
    long updates,
    @Nullable String minLsn,
    @Nullable String maxLsn,
    @Nullable LocalDateTime minCommitTs,
    @Nullable LocalDateTime maxCommitTs,
    double seconds,
    @Nullable Long networkWaitMs)
    implements Serializable {}

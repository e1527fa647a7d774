package io.github.mssqlcdc.backfill;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a backfill may do.
 *
 * @param chunkRows rows of a chunk, when planned
 * @param connections how many chunks are read at a time
 * @param targetWave how long a wave shall take; zero: one round of chunks
 * @param maxWaves most waves; 0: the status is told, and nothing planned; null: no limit
 * @param maxDuration how long the call goes on starting waves; null: no limit
 * @param minHeadroom retention headroom of the stream below which no wave is read; null: none
 */
public record BackfillLimits(
    long chunkRows,
    int connections,
    Duration targetWave,
    @Nullable Integer maxWaves,
    @Nullable Duration maxDuration,
    @Nullable Duration minHeadroom) {

  /** Whether a call may read nothing at all. */
  boolean isStatusOnly() {
    return maxWaves != null && maxWaves == 0;
  }
}

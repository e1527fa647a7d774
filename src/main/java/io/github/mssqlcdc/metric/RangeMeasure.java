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
    implements Serializable {

  /** Nothing to read, proved without a read. */
  public static final RangeMeasure NOTHING =
      new RangeMeasure(0, 0, 0, 0, 0, null, null, null, null, 0, null);

  /** Both together; the network wait is known only if both know theirs. */
  public RangeMeasure plus(RangeMeasure other) {
    return new RangeMeasure(
        rows + other.rows,
        bytes + other.bytes,
        deletes + other.deletes,
        inserts + other.inserts,
        updates + other.updates,
        least(minLsn, other.minLsn),
        greatest(maxLsn, other.maxLsn),
        least(minCommitTs, other.minCommitTs),
        greatest(maxCommitTs, other.maxCommitTs),
        seconds + other.seconds,
        networkWaitMs == null || other.networkWaitMs == null
            ? null
            : (Long) (networkWaitMs + other.networkWaitMs));
  }

  private static <T extends Comparable<? super T>> @Nullable T least(@Nullable T a, @Nullable T b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static <T extends Comparable<? super T>> @Nullable T greatest(
      @Nullable T a, @Nullable T b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) >= 0 ? a : b;
  }
}

package io.github.mssqlcdc.control;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * How far a table is final.
 *
 * @param finalizedUntil no change with an earlier commit time will still arrive, UTC
 * @param endLsn the position that this rests on; null if not known
 * @param endCommitTs its commit time, UTC; null likewise
 */
public record Verdict(
    LocalDateTime finalizedUntil, @Nullable Lsn endLsn, @Nullable LocalDateTime endCommitTs) {

  /** Whether it says more than another; null says nothing. */
  public boolean isBeyond(@Nullable Verdict other) {
    return other == null || finalizedUntil.isAfter(other.finalizedUntil);
  }
}

package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import java.io.Serializable;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A gap that a stream went on over: changes from one LSN up to another are gone, or may be.
 *
 * @param captureInstance the capture instance that had them
 * @param from lowest LSN of the gap; with the instance, what it is known by
 * @param to min LSN: the first LSN after the gap
 * @param fromTs commit time before the gap, UTC; null if unknown
 * @param toTs commit time of {@code to}, UTC; null if unknown
 * @param doubt why changes may be missing, where that isn't certain; null if they are
 * @param cause how they came to be gone; null where only the read of a range saw it
 */
public record SkippedChanges(
    String captureInstance,
    Lsn from,
    Lsn to,
    @Nullable LocalDateTime fromTs,
    @Nullable LocalDateTime toTs,
    @Nullable String doubt,
    @Nullable LossKind cause)
    implements Serializable {

  /** Whether the LSN lies in the gap, behind its begin. */
  public boolean holds(Lsn lsn) {
    return from.isBefore(lsn) && lsn.isBefore(to);
  }

  /** Both as one gap, from the lower begin to the higher end. */
  SkippedChanges plus(SkippedChanges other) {
    SkippedChanges lower = from.isAfter(other.from) ? other : this;
    SkippedChanges higher = to.isBefore(other.to) ? other : this;
    return new SkippedChanges(
        captureInstance,
        lower.from,
        higher.to,
        lower.fromTs,
        higher.toTs,
        lower.doubt,
        lower.cause);
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.io.Serializable;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import org.jspecify.annotations.Nullable;

/**
 * An hour that repeats, and where in the order of LSNs it began again.
 *
 * @param overlap the transition of the zone
 * @param step LSN of the first entry after the clock went back
 * @param settled LSN of the first entry from which on the second pass is under way; null while
 *     there is none
 */
public record FallBack(ZoneOffsetTransition overlap, Lsn step, @Nullable Lsn settled)
    implements Serializable {
  /** Times of neighbours in the map differ by less where no clock was changed. */
  static final Duration JITTER = Duration.ofMinutes(1);

  /**
   * Whether the entry, its time inside the overlap, belongs to the hour's second pass. Commits end
   * in another order than that of their LSNs by a moment: just after the step, a time at the hour's
   * end is still one of the first pass.
   */
  boolean isSecondPass(MapEntry entry) {
    if (entry.lsn().isBefore(step)) {
      return false;
    }
    boolean isSettled = settled != null && !entry.lsn().isBefore(settled);
    return isSettled || entry.at().isBefore(lastMoment());
  }

  /** The instant of a time in the second pass. */
  LocalDateTime toUtc(LocalDateTime secondPass) {
    return secondPass.minusSeconds(overlap.getOffsetAfter().getTotalSeconds());
  }

  private LocalDateTime lastMoment() {
    return overlap.getDateTimeBefore().minus(JITTER);
  }
}

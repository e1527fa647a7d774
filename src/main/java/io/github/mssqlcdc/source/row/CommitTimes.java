package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Commit times of a batch's rows.
 *
 * @param clock the server's clock for the batch
 * @param floor commit time of the batch's start, UTC: no row's is below it; null: none
 * @param ceiling commit time of its end, UTC: no row's is above it; null: none
 */
public record CommitTimes(
    ServerClock clock, @Nullable LocalDateTime floor, @Nullable LocalDateTime ceiling) {

  /**
   * @param entry the map's entry of the commit; null if it has none
   */
  public @Nullable LocalDateTime of(@Nullable MapEntry entry) {
    if (entry == null) {
      return floor;
    }
    LocalDateTime time = clock.toUtc(entry);
    // a replay may find another offset than the one that its end was written with
    LocalDateTime notAbove = ceiling != null && time.isAfter(ceiling) ? ceiling : time;
    return floor != null && notAbove.isBefore(floor) ? floor : notAbove;
  }
}

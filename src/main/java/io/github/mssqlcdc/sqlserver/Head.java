package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What follows a position, as one statement batch found it.
 *
 * @param maxLsn max LSN of the database; null when the LSN map is empty
 * @param end where a batch may end, within the limits asked for; null if nothing follows
 * @param hasRows whether the instance has change rows after the position, up to {@code end}
 * @param cut whether a limit kept {@code end} below max LSN
 * @param roundTrip how long the batch took; zero if a poll shared with other streams answered and
 *     nothing was sent
 */
public record Head(
    @Nullable Lsn maxLsn, @Nullable End end, boolean hasRows, boolean cut, Duration roundTrip) {

  /**
   * @param entry the last map entry after the position
   * @param latest the largest commit time among the entries up to it, UTC
   * @param clock the server's clock for these entries
   */
  public record End(MapEntry entry, LocalDateTime latest, ServerClock clock) {}
}

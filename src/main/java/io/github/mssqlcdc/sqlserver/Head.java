package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What follows a position, as one statement batch found it.
 *
 * @param maxLsn max LSN of the database; null when the LSN map is empty
 * @param end the last map entry after the position, within the limits asked for; null if there is
 *     none
 * @param latestAt the largest raw time among the entries up to {@code end}; null without an end
 * @param hasRows whether the instance has change rows after the position, up to {@code end}
 * @param cut whether a limit kept {@code end} below max LSN
 * @param roundTrip how long the batch took; zero if a poll shared with other streams answered and
 *     nothing was sent
 */
public record Head(
    @Nullable Lsn maxLsn,
    @Nullable MapEntry end,
    @Nullable LocalDateTime latestAt,
    boolean hasRows,
    boolean cut,
    Duration roundTrip) {}

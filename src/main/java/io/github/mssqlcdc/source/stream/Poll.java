package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.sqlserver.ServerClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The poll that found a batch's end.
 *
 * @param roundTrip how long it took; null if a poll shared with other streams answered
 * @param clock the server's clock for the batch; null if nothing followed the start
 */
record Poll(@Nullable Duration roundTrip, @Nullable ServerClock clock) {}

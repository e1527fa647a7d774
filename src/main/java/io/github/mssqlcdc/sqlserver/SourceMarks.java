package io.github.mssqlcdc.sqlserver;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Raw times on the server's clock, for what the facts measure.
 *
 * @param now the server's local time
 * @param retention time of the instance's min LSN: what cleanup will take next; null if unknown
 * @param newest time of the newest entry captured in the whole database; null on an empty map
 */
public record SourceMarks(
    LocalDateTime now, @Nullable LocalDateTime retention, @Nullable LocalDateTime newest) {}

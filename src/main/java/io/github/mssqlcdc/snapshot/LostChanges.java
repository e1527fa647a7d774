package io.github.mssqlcdc.snapshot;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What a new snapshot makes good: a gap that the stream can't read over.
 *
 * @param cause how it came about, by its name in the facts
 * @param from commit time of the last position read, UTC; null if unknown
 * @param to commit time of what is there again, UTC; null if unknown
 */
public record LostChanges(String cause, @Nullable LocalDateTime from, @Nullable LocalDateTime to) {}

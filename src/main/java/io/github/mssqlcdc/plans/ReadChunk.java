package io.github.mssqlcdc.plans;

import org.jspecify.annotations.Nullable;

/**
 * A chunk as it was read.
 *
 * @param planned what was asked for; its rows are the plan's
 * @param rows its rows in bronze
 * @param bytes size of their values; null if not known any more
 * @param seconds time spent reading; null likewise
 * @param highLsn max LSN after the read; null likewise
 */
public record ReadChunk(
    ChunkBounds planned,
    long rows,
    @Nullable Long bytes,
    @Nullable Double seconds,
    @Nullable String highLsn) {}

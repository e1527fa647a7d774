package io.github.mssqlcdc.metric;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What reading one chunk of a table told.
 *
 * @param chunk its number
 * @param rows rows handed on
 * @param bytes size of their values
 * @param seconds time spent reading
 * @param highLsn canonical text of max LSN as read after the rows; null when the map is empty
 */
public record ChunkMeasure(
    int chunk, long rows, long bytes, double seconds, @Nullable String highLsn)
    implements Serializable {}

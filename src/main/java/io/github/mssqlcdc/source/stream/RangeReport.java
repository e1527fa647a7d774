package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What reading one range of one batch told.
 *
 * @param skip the gap that cleanup may have torn into it, where that doesn't fail the read; null:
 *     none
 */
record RangeReport(RangePartition range, RangeMeasure measure, @Nullable SkippedChanges skip)
    implements Serializable {}

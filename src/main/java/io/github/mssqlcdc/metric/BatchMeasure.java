package io.github.mssqlcdc.metric;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one micro-batch once its ranges are read: the plan's marks and the folded range
 * measurements.
 *
 * @param total the folded ranges; null if any planned range has not reported, and in a batch that
 *     wasn't read because the target held it already
 * @param roundTripMs round trip of the poll that found the batch's end; null if it wasn't polled
 * @param retentionWatermark commit time of min LSN, UTC; null if unknown
 * @param sourceMaxCommitTs newest commit captured in the database, UTC; null if unknown
 * @param captureLagSeconds now on the source minus that; null if unknown
 */
public record BatchMeasure(
    @Nullable RangeMeasure total,
    @Nullable Double roundTripMs,
    @Nullable LocalDateTime retentionWatermark,
    @Nullable LocalDateTime sourceMaxCommitTs,
    @Nullable Double captureLagSeconds) {}

package io.github.mssqlcdc.metric;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a chunked snapshot is.
 *
 * @param state whether it is done, goes on, or waits for something
 * @param snapshot S, the LSN that it stands for; null if there is none
 * @param chunksDone chunks that are in the target
 * @param chunksTotal chunks of the plan; null while there is none
 * @param rows rows of the chunks done, of all calls
 * @param bytes size of their values, as far as known
 * @param elapsed how long this call has taken so far
 * @param remaining how long the rest takes at the pace of the last wave; null if unknown
 * @param reason why it isn't done, for a person; null when it is
 */
public record BackfillStatus(
    BackfillState state,
    @Nullable Lsn snapshot,
    int chunksDone,
    @Nullable Integer chunksTotal,
    long rows,
    long bytes,
    Duration elapsed,
    @Nullable Duration remaining,
    @Nullable String reason) {}

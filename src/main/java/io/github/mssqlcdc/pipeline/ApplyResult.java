package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What a call of {@link ApplyChangesRequest#run} has done.
 *
 * @param rebuilt whether silver was made from a snapshot, or from the whole of bronze, and not only
 *     brought forward by what was new
 * @param appliedLsn silver shows every change up to this LSN; null if there is none yet
 * @param finalizedUntil silver's verdict, UTC: no change with an earlier commit time will still
 *     arrive; null without one, or without a control table
 * @param bronzeFound whether the bronze table is there; if not, nothing was done
 */
public record ApplyResult(
    boolean rebuilt,
    @Nullable Lsn appliedLsn,
    @Nullable LocalDateTime finalizedUntil,
    boolean bronzeFound) {}

package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.SnapshotId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is appended of a chunked snapshot at a time.
 *
 * @param id of the snapshot
 * @param wave number of the wave
 * @param history the history of the source that its rows belong to
 * @param note what its commit says; asked when its rows are written
 * @param hasRows asked after that and before they are committed; false gives them up. What it
 *     throws gives them up, too.
 */
public record WaveRows(
    SnapshotId id,
    int wave,
    int history,
    Supplier<@Nullable String> note,
    BooleanSupplier hasRows) {}

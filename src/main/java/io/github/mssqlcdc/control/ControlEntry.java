package io.github.mssqlcdc.control;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A table's row in the control table.
 *
 * @param table as the caller spelt it
 * @param verdict null: none yet
 * @param position of a silver table; else nothing in it
 * @param history of the source that its LSNs belong to
 * @param updatedAt when it was last written, UTC; null in a row of another writer
 */
public record ControlEntry(
    String table,
    @Nullable Verdict verdict,
    AppliedPosition position,
    int history,
    @Nullable LocalDateTime updatedAt) {}

package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.offset.Offset;
import org.jspecify.annotations.Nullable;

/**
 * A whole snapshot that bronze holds.
 *
 * @param stamp where it stands in the source's history
 * @param history the history that its LSN belongs to
 * @param rows its rows, as its own commit counted them; null once the log has dropped the commit
 */
public record HeldSnapshot(Offset stamp, int history, @Nullable Long rows) {}

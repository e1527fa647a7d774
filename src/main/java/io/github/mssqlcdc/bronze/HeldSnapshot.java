package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.offset.Offset;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that bronze holds, or of a chunked one some of it.
 *
 * @param stamp where it stands in the source's history
 * @param history the history that its LSN belongs to
 * @param rows its rows, as its own commit counted them; null once the log has dropped the commit,
 *     and of a chunked one
 * @param isChunked whether it is taken in chunks
 * @param isComplete whether all of it is there for certain: of a chunked one the commit of its last
 *     wave says so
 */
public record HeldSnapshot(
    Offset stamp, int history, @Nullable Long rows, boolean isChunked, boolean isComplete) {

  boolean isEmpty() {
    return rows != null && rows == 0;
  }
}

package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the keys of a table reach when its snapshot opens: the chunks cover the keys up to {@code
 * max}, what comes above it is a change after S. It is recorded at the open and never read again;
 * with the names of the columns it is all that a plan is made from.
 *
 * @param kind how chunks are planned; null: the table has no key to cut it on, and is one chunk
 * @param columns the key, the leading column first; none where {@code kind} is null
 * @param min smallest value of an integer key, NULLs left out; null for other keys, and where there
 *     are no values
 * @param max largest key in the server's order; null where there are no keys
 * @param rows what the server believes the table to hold; null: it doesn't tell. It only sizes the
 *     first counts
 */
public record TableExtent(
    @Nullable ChunkKind kind,
    List<KeyColumn> columns,
    @Nullable KeyBound min,
    @Nullable KeyBound max,
    @Nullable Long rows) {

  public TableExtent {
    columns = List.copyOf(columns);
    if (columns.isEmpty() != (kind == null)) {
      throw new IllegalArgumentException("A kind goes with columns");
    }
  }
}

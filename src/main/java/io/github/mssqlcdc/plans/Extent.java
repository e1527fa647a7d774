package io.github.mssqlcdc.plans;

import io.github.mssqlcdc.offset.Offset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an open keeps of a snapshot: where it stands, and where the table's keys are.
 *
 * @param open number of the open
 * @param position S
 * @param history history of the source that S belongs to
 * @param kind how the key is cut; null without a usable one
 * @param keys columns that the table is cut on, the leading one first
 * @param min smallest key as JSON; null if unknown
 * @param max largest key as JSON; null if unknown, or of an empty table
 * @param rows the server's estimate; null if it doesn't tell
 */
public record Extent(
    int open,
    Offset position,
    int history,
    @Nullable String kind,
    List<String> keys,
    @Nullable String min,
    @Nullable String max,
    @Nullable Long rows) {

  public Extent {
    keys = List.copyOf(keys);
  }
}

package io.github.mssqlcdc.witness;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change as both sides tell it.
 *
 * @param table without its schema
 * @param commit LSN as {@code 0x…}
 * @param seqval place in the commit
 * @param operation c, u, d, or r for a row of a snapshot
 * @param before values by column, as text; null: there is no image before
 * @param after values after it; null: there is none
 */
record Change(
    String table,
    String commit,
    String seqval,
    String operation,
    @Nullable Map<String, String> before,
    @Nullable Map<String, String> after) {

  /** This with its NULLs unknown that are so in the other: not both sides tell them apart. */
  Change asUnknownAs(Change other) {
    return new Change(
        table,
        commit,
        seqval,
        operation,
        asUnknown(before, other.before()),
        asUnknown(after, other.after()));
  }

  private static @Nullable Map<String, String> asUnknown(
      @Nullable Map<String, String> image, @Nullable Map<String, String> other) {
    if (image == null || other == null) {
      return image;
    }
    Map<String, String> told = new TreeMap<>(image);
    told.replaceAll(
        (column, value) ->
            value.equals(Values.NULL) && Objects.equals(other.get(column), Values.UNKNOWN)
                ? Values.UNKNOWN
                : value);
    return told;
  }
}

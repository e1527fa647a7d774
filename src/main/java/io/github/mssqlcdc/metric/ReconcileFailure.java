package io.github.mssqlcdc.metric;

import org.jspecify.annotations.Nullable;

/**
 * A difference that a comparison of silver with its source has found.
 *
 * @param type what is wrong
 * @param key key of the row as compact JSON; null of a chunk
 * @param lo first key of its bucket or chunk as JSON; null: open
 * @param hi first key above, likewise
 * @param detail more about it, as JSON
 */
public record ReconcileFailure(
    Type type,
    @Nullable String key,
    @Nullable String lo,
    @Nullable String hi,
    @Nullable String detail) {

  /** What is wrong. */
  public enum Type {
    /** The source has the row, silver doesn't. */
    MISSING_TARGET,
    /** Silver has the row, the source doesn't. */
    MISSING_SOURCE,
    /** Both have it, with other values. */
    RECORD_DIFF,
    /** Both have it, one of them more than once. */
    DUPLICATE,
    /** It differs because a change of it is still on its way; nothing is wrong. */
    IN_FLIGHT,
    /** A chunk is missing, was read twice, or doesn't begin where the one before ends. */
    CHUNK_TILING,
    /** A chunk has other rows in bronze than its facts say. */
    CHUNK_ROWS,
    /** A chunk was read before its snapshot's S. */
    CHUNK_STAMP
  }
}

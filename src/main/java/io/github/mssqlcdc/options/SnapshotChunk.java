package io.github.mssqlcdc.options;

/**
 * A part of the table that a snapshot reads as one partition.
 *
 * @param number what its rows carry as {@code _chunk}
 * @param lo first key, as JSON: a value, or a list of one per key column; {@code null} is open
 * @param hi first key above, likewise
 */
public record SnapshotChunk(int number, String lo, String hi) {}

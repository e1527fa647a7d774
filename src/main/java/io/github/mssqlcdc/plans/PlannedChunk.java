package io.github.mssqlcdc.plans;

import org.jspecify.annotations.Nullable;

/**
 * A part of the table, as planned.
 *
 * @param chunk its number, from 0 in the order of keys
 * @param lo first key as JSON; {@code null} as text is open
 * @param hi first key above, likewise
 * @param rows as counted when planned; null where not
 * @param last whether it is the plan's last
 */
public record PlannedChunk(int chunk, String lo, String hi, @Nullable Long rows, boolean last) {
  /** A bound that isn't there. */
  public static final String OPEN = "null";

  /** The same with another end. */
  public PlannedChunk endingAt(String end) {
    return new PlannedChunk(chunk, lo, end, rows, last);
  }
}

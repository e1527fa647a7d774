package io.github.mssqlcdc.plans;

import org.jspecify.annotations.Nullable;

/**
 * A chunk with its bounds as they are stored.
 *
 * @param chunk its number, from 0 in the order of keys
 * @param lo first key as JSON; {@code null} as text is open
 * @param hi first key above, likewise
 * @param rows as counted when planned; null where not
 * @param last whether it is the plan's last
 */
public record ChunkBounds(int chunk, String lo, String hi, @Nullable Long rows, boolean last) {
  /** A bound that isn't there. */
  public static final String OPEN = "null";
}

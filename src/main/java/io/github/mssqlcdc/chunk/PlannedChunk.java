package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.keyrange.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a plan. The first is open below, where NULLs belong, each begins where the one before
 * it ends, the last ends just above the extent's MAX.
 *
 * @param number counted from 0
 * @param range its keys; without columns: the whole table
 * @param rows how many rows it holds as planned; null: not counted
 * @param isLast whether it is the plan's last one
 */
public record PlannedChunk(int number, KeyRange range, @Nullable Long rows, boolean isLast) {

  /**
   * Whether its end isn't known yet, because no key was above MAX: {@link ChunkPlanner#closed}
   * looks for it again, before the chunk is read.
   */
  public boolean isOpen() {
    return isLast && range.hi() == null && !range.columns().isEmpty();
  }
}

package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wave of a chunked snapshot in bronze, as its commit tells of it.
 *
 * @param snapshot where the snapshot stands
 * @param stamp recorded before its chunks were read
 * @param high the highest max LSN after a chunk was read: no read has seen a later commit; null if
 *     not known
 * @param chunks its chunks
 */
public record HeldWave(Position snapshot, Lsn stamp, @Nullable Lsn high, List<Bounds> chunks) {

  public HeldWave {
    chunks = List.copyOf(chunks);
  }

  /**
   * The keys of a chunk.
   *
   * @param lo first key as JSON; {@code null} as text is open
   * @param hi first key above, likewise
   */
  public record Bounds(String lo, String hi) {}
}

package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.List;

/**
 * A wave of a chunked snapshot in bronze, as its commit tells of it.
 *
 * @param snapshot where the snapshot stands
 * @param stamp recorded before its chunks were read
 * @param chunks its chunks
 */
public record HeldWave(Position snapshot, Lsn stamp, List<Bounds> chunks) {

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

package io.github.mssqlcdc.plans;

import org.jspecify.annotations.Nullable;

/**
 * How far a chunked snapshot is: what its newest wave in the plans table says.
 *
 * @param wave the last wave recorded; -1 before the first
 * @param chunks how many are done; they are done in the order of their numbers
 * @param rows of all of them
 * @param bytes of all of them, as far as known
 * @param waveChunks how many the last wave had
 * @param waveMs how long it took; null if not known
 * @param attempt who read it; null if not known
 * @param isComplete whether the plan's last chunk is among them
 */
public record Progress(
    int wave,
    int chunks,
    long rows,
    long bytes,
    int waveChunks,
    @Nullable Long waveMs,
    @Nullable String attempt,
    boolean isComplete) {
  /** Nothing has been read. */
  public static final Progress NONE = new Progress(-1, 0, 0, 0, 0, null, null, false);

  /** With the next wave. */
  public Progress plus(ReadWave next) {
    return new Progress(
        next.wave(),
        next.lastChunk().chunk() + 1,
        rows + next.rows(),
        bytes + next.bytes(),
        next.chunks().size(),
        next.durationMs(),
        next.attempt(),
        next.lastChunk().last());
  }
}

package io.github.mssqlcdc.plans;

import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that were read together, in the order of their numbers.
 *
 * @param wave its number, from 0
 * @param stamp recorded before they were read
 * @param history history of the source that the stamp belongs to
 * @param attempt who read it; null if not known any more
 * @param startedAt when it was stamped, UTC; null likewise
 * @param durationMs how long reading and committing took; null likewise
 */
public record ReadWave(
    int wave,
    Offset stamp,
    int history,
    @Nullable String attempt,
    @Nullable LocalDateTime startedAt,
    @Nullable Long durationMs,
    List<ReadChunk> chunks) {

  public ReadWave {
    chunks = List.copyOf(chunks);
    if (chunks.isEmpty()) {
      throw new IllegalArgumentException("Wave " + wave + " has no chunk");
    }
  }

  public ChunkBounds lastChunk() {
    return chunks.get(chunks.size() - 1).planned();
  }

  public long rows() {
    return chunks.stream().mapToLong(ReadChunk::rows).sum();
  }

  /** Size of the values read, as far as known. */
  public long bytes() {
    return chunks.stream().mapToLong(chunk -> chunk.bytes() == null ? 0 : chunk.bytes()).sum();
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts in bronze what wasn't measured while it was read, or isn't known any more. */
record WaveCounts(ChunkStore store) {

  /** The wave as it is, or with the rows of its chunks as bronze has them. */
  ReadWave of(ReadWave wave) {
    if (wave.chunks().stream().allMatch(chunk -> chunk.bytes() != null)) {
      return wave;
    }
    Lsn stamp = wave.stamp().lsn();
    Map<Integer, HeldChunk> held =
        byNumber(
            store.heldFrom(wave.chunks().get(0).planned().chunk()).stream()
                .filter(chunk -> chunk.stamp().lsn().equals(stamp))
                .toList());
    return new ReadWave(
        wave.wave(),
        wave.stamp(),
        wave.history(),
        wave.attempt(),
        wave.startedAt(),
        wave.durationMs(),
        wave.chunks().stream()
            .map(chunk -> chunk.bytes() == null ? counted(chunk.planned(), held) : chunk)
            .toList());
  }

  /** Chunks of one stamp. */
  static Map<Integer, HeldChunk> byNumber(List<HeldChunk> chunks) {
    return chunks.stream().collect(Collectors.toMap(HeldChunk::chunk, Function.identity()));
  }

  static ReadChunk counted(ChunkBounds chunk, Map<Integer, HeldChunk> held) {
    HeldChunk rows = held.get(chunk.chunk());
    return new ReadChunk(chunk, rows == null ? 0 : rows.rows(), null, null, null);
  }
}

package io.github.mssqlcdc.metric;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the chunks of one read have measured, in the driver's memory. Thread-safe. */
public final class ChunkLedger {
  private final Map<Integer, ChunkMeasure> measures = new ConcurrentHashMap<>();

  /** A chunk has been read; a second report of the same chunk replaces the first. */
  public void reported(ChunkMeasure measure) {
    measures.put(measure.chunk(), measure);
  }

  /** The measures so far, by chunk. */
  public Map<Integer, ChunkMeasure> measures() {
    return Map.copyOf(measures);
  }
}

package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.metric.ChunkLedger;
import io.github.mssqlcdc.metric.ChunkMeasure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.util.AccumulatorV2;
import org.jspecify.annotations.Nullable;

/**
 * Brings the measures of chunks from the tasks to the driver, keyed by chunk, so that one that was
 * read twice counts once. Thread-safe: heartbeats read it while a task writes.
 */
final class ChunkReports extends AccumulatorV2<ChunkMeasure, Map<Integer, ChunkMeasure>> {
  private static final long serialVersionUID = 1L;

  private final ConcurrentHashMap<Integer, ChunkMeasure> measures = new ConcurrentHashMap<>();

  /** Only the driver's own instance has one: copies travel without it. */
  private final transient @Nullable ChunkLedger ledger;

  ChunkReports(@Nullable ChunkLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public boolean isZero() {
    return measures.isEmpty();
  }

  @Override
  public ChunkReports copy() {
    ChunkReports copy = new ChunkReports(null);
    copy.measures.putAll(measures);
    return copy;
  }

  @Override
  public void reset() {
    measures.clear();
  }

  @Override
  public void add(ChunkMeasure measure) {
    measures.put(measure.chunk(), measure);
  }

  @Override
  public void merge(AccumulatorV2<ChunkMeasure, Map<Integer, ChunkMeasure>> other) {
    if (ledger == null) {
      measures.putAll(other.value());
    } else {
      other.value().values().forEach(ledger::reported);
    }
  }

  @Override
  public Map<Integer, ChunkMeasure> value() {
    return Map.copyOf(measures);
  }
}

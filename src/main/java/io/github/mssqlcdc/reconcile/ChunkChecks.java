package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.facts.FactsChunk;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.metric.ReconcileFailure.Type;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the chunks of a snapshot are all there: what the facts say, what the plans table kept and
 * what bronze holds.
 *
 * @param snapshot S
 * @param isComplete whether the snapshot is said to be complete
 * @param facts the chunks' rows
 * @param read the chunks as they were kept; their bounds hold the key
 * @param bronze rows in bronze by chunk, chunks without any left out
 */
record ChunkChecks(
    Lsn snapshot,
    boolean isComplete,
    List<FactsChunk> facts,
    List<ReadChunk> read,
    Map<Integer, Long> bronze) {

  List<ReconcileFailure> failures() {
    List<ReconcileFailure> failures = new ArrayList<>();
    Map<Integer, List<FactsChunk>> told = new TreeMap<>();
    facts.forEach(chunk -> told.computeIfAbsent(chunk.chunk(), i -> new ArrayList<>()).add(chunk));
    Map<Integer, ChunkBounds> bounds = new TreeMap<>();
    read.forEach(chunk -> bounds.put(chunk.planned().chunk(), chunk.planned()));
    int end = end(told, bounds);
    ChunkBounds before = null;
    for (int i = 0; i < end; i++) {
      List<FactsChunk> rows = told.getOrDefault(i, List.of());
      ChunkBounds here = bounds.get(i);
      if (rows.size() != 1) {
        failures.add(
            tiling(i, here, rows.isEmpty() ? "no facts row" : rows.size() + " facts rows"));
      }
      gap(i, here, before, i > 0).ifPresent(failures::add);
      FactsChunk row = rows.isEmpty() ? null : rows.get(0);
      count(i, here, row).ifPresent(failures::add);
      stamp(i, here, row).ifPresent(failures::add);
      before = here;
    }
    if (isComplete && (before == null || !before.last())) {
      failures.add(tiling(Math.max(0, end - 1), before, "complete, but it isn't the plan's last"));
    }
    return failures;
  }

  /** A wave's facts may not be written yet: what is behind them counts once all are there. */
  private int end(Map<Integer, List<FactsChunk>> told, Map<Integer, ChunkBounds> bounds) {
    int ofFacts = told.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    if (!isComplete) {
      return ofFacts;
    }
    int ofBronze = bronze.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    int ofPlan = bounds.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    return Math.max(ofFacts, Math.max(ofBronze, ofPlan));
  }

  private static Optional<ReconcileFailure> gap(
      int chunk, @Nullable ChunkBounds here, @Nullable ChunkBounds before, boolean hasBefore) {
    if (here == null) {
      return Optional.of(tiling(chunk, null, "no entry in the plans table"));
    }
    if (!hasBefore) {
      return here.lo().equals(ChunkBounds.OPEN)
          ? Optional.empty()
          : Optional.of(tiling(chunk, here, "the first one isn't open below"));
    }
    if (before == null) {
      return Optional.empty();
    }
    if (before.last()) {
      return Optional.of(tiling(chunk, here, "it comes after the plan's last"));
    }
    return before.hi().equals(here.lo())
        ? Optional.empty()
        : Optional.of(tiling(chunk, here, "it begins where the one before doesn't end"));
  }

  private Optional<ReconcileFailure> count(
      int chunk, @Nullable ChunkBounds here, @Nullable FactsChunk row) {
    Long facts = row == null ? null : row.rows();
    long held = bronze.getOrDefault(chunk, 0L);
    if (facts != null && facts == held) {
      return Optional.empty();
    }
    return Optional.of(
        failure(
            Type.CHUNK_ROWS,
            here,
            "{\"chunk\": " + chunk + ", \"facts\": " + facts + ", \"bronze\": " + held + "}"));
  }

  private Optional<ReconcileFailure> stamp(
      int chunk, @Nullable ChunkBounds here, @Nullable FactsChunk row) {
    Lsn stamp = row == null ? null : row.stamp();
    return stamp == null || !stamp.isBefore(snapshot)
        ? Optional.empty()
        : Optional.of(
            failure(
                Type.CHUNK_STAMP,
                here,
                "{\"chunk\": "
                    + chunk
                    + ", \"stamp\": \""
                    + stamp
                    + "\", \"snapshot\": \""
                    + snapshot
                    + "\"}"));
  }

  private static ReconcileFailure tiling(int chunk, @Nullable ChunkBounds here, String why) {
    return failure(
        Type.CHUNK_TILING, here, "{\"chunk\": " + chunk + ", \"reason\": \"" + why + "\"}");
  }

  private static ReconcileFailure failure(Type type, @Nullable ChunkBounds here, String detail) {
    return new ReconcileFailure(
        type,
        null,
        stored(here == null ? null : here.lo()),
        stored(here == null ? null : here.hi()),
        detail);
  }

  static @Nullable String stored(@Nullable String bound) {
    return bound == null || bound.equals(ChunkBounds.OPEN) ? null : bound;
  }
}

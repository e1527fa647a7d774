package io.github.mssqlcdc.reconcile;

import io.github.mssqlcdc.bronze.Waves;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.metric.ReconcileFailure;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks at the chunks of the newest chunked snapshot of a target.
 *
 * @param target bronze, as the caller spelt it
 * @param plans the plans table; empty if there is none. What it throws is told as a note.
 */
public record SnapshotChunks(
    FactsTable facts,
    String appId,
    String target,
    Waves waves,
    Supplier<Optional<PlansTable>> plans) {

  /**
   * What was found.
   *
   * @param notes why chunks weren't checked
   */
  public record Found(List<ReconcileFailure> failures, List<String> notes) {
    public static final Found NOTHING = new Found(List.of(), List.of());
  }

  /** Checks the chunks of the target's newest chunked snapshot; nothing where it has none. */
  public Found look() {
    // its clock dates rows that this never writes
    SnapshotState state = new SnapshotEvents(facts, appId, target, Clock.systemUTC()).state();
    Optional<SnapshotOpen> newest = state.chunked();
    if (newest.isEmpty()) {
      return Found.NOTHING;
    }
    SnapshotOpen open = newest.get();
    if (!open.target().equals(target)) {
      return unchecked(
          open, "the facts call its target '" + open.target() + "', not '" + target + "'");
    }
    if (state.opens().stream().anyMatch(other -> isAlike(other, open))) {
      return unchecked(
          open, "another one at its LSN was given up, whose chunks can't be told from its own");
    }
    List<ReadChunk> read;
    try {
      Optional<PlansTable> table = plans.get();
      if (table.isEmpty()) {
        return unchecked(open, "there is no plans table beside bronze");
      }
      read = table.get().chunks(open.id(appId));
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      return unchecked(open, "the plans table can't be read: " + e.getMessage());
    }
    ChunkChecks checks =
        new ChunkChecks(
            open.position().lsn(),
            state.end(open).isPresent(),
            facts.chunks(appId).stream()
                .filter(chunk -> chunk.snapshot().equals(open.position().lsn()))
                .toList(),
            read,
            waves.chunksFrom(open.id(appId), open.history(), 0).stream()
                .collect(
                    Collectors.toMap(Waves.HeldChunk::chunk, Waves.HeldChunk::rows, Long::sum)));
    return new Found(checks.failures(), List.of());
  }

  private static boolean isAlike(SnapshotOpen other, SnapshotOpen open) {
    return other.isChunked()
        && other.number() != open.number()
        && other.history() == open.history()
        && other.position().lsn().equals(open.position().lsn());
  }

  private static Found unchecked(SnapshotOpen open, String why) {
    return new Found(
        List.of(), List.of("chunks of " + open.description() + " were not checked: " + why));
  }
}

package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.silver.OpenSnapshot;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the facts say of bronze's snapshots, in the words of silver.
 *
 * @param spellings how they call bronze
 */
record SilverSnapshots(SnapshotState state, Set<String> spellings) {
  /** The newest one that is chunked and wasn't given up; null: there is none. */
  @Nullable OpenSnapshot chunked() {
    SnapshotOpen open =
        state.chunked().filter(one -> spellings.contains(one.target())).orElse(null);
    if (open == null) {
      return null;
    }
    boolean isComplete = state.end(open).filter(end -> end.how() == How.COMPLETE).isPresent();
    return new OpenSnapshot(
        new Position(open.history(), open.position().lsn()),
        open.keys(),
        isComplete ? OpenSnapshot.State.COMPLETE : OpenSnapshot.State.OPEN);
  }

  /** Whether a whole snapshot there counts: it wasn't given up. */
  boolean counts(Position position) {
    return !state.isAbandoned(position.lsn());
  }
}

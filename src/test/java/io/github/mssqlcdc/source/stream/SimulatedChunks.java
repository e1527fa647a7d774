package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Extent;
import java.util.List;
import java.util.Objects;

/** Chunked snapshots as one process of the facade opens and reads them. */
final class SimulatedChunks {
  private static final int CHUNKS = 2;
  private static final int CHUNK = 5;
  private static final int ATTEMPTS = 5;
  private static final String PLANS = "plans";

  private final Lake lake;
  private final SimulatedTable table;

  SimulatedChunks(SimulatedTable table) {
    this.lake = table.lake();
    this.table = table;
  }

  /** S of the one that is open then. */
  Offset open(SnapshotState state, Purpose purpose, int history) {
    int number = planned(state, history);
    table.step().run();
    Extent extent = Objects.requireNonNull(lake.extents.get(number));
    if (lake.once(SimulatedTable.OPENS, number)) {
      lake.opens.add(SimulatedTable.open(number, SnapshotMode.CHUNKED, purpose, extent));
      table.step().run();
      return extent.position();
    }
    return lake.state()
        .chunked()
        .map(SnapshotOpen::position)
        .orElseThrow(() -> SimulatedTable.conflict("others open snapshots"));
  }

  /** What the plans table keeps of the next open: what another process has kept, or what it is. */
  private int planned(SnapshotState state, int history) {
    Lsn least = state.unfilled().orElse(Lsn.ZERO);
    int number = table.nextNumber(state);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int kept = lake.newest(PLANS);
      if (kept >= number) {
        if (isUsable(Objects.requireNonNull(lake.extents.get(kept)), history, least)) {
          return kept;
        }
        number = kept + 1;
      }
      Offset stamp = table.stamp();
      table.step().run();
      if (lake.once(PLANS, number)) {
        lake.extents.put(number, new Extent(stamp, history));
        return number;
      }
    }
    throw SimulatedTable.conflict("others open snapshots");
  }

  private boolean isUsable(Extent extent, int history, Lsn least) {
    return extent.history() == history
        && !table.minLsn().isAfter(extent.position().lsn().next())
        && table.isSameAt(extent.position())
        && !extent.position().lsn().isBefore(least);
  }

  /** A call of backfill: reads the chunks that are still to be read. */
  void read() {
    SnapshotState state = lake.state();
    SnapshotOpen open = state.chunked().orElse(null);
    if (open == null || state.end(open).isPresent()) {
      return;
    }
    new ModeLock(state).requireNoFull("read", table.minLsn());
    String waves = "waves " + open.number();
    Offset last = lake.newestOf(waves).map(Commit::position).orElse(open.position());
    for (int chunk = lake.newest(waves) + 1; chunk < CHUNKS; chunk++) {
      if (!isLive(open)) {
        return;
      }
      requireFollowed(open);
      Offset stamp = table.stamp();
      int from = chunk * CHUNK;
      table.requireSamePast(last);
      table.step().run();
      boolean isOwn =
          table.append(
              new Commit(waves, chunk, open.history(), stamp, false, List.of(), null),
              () ->
                  table.read(
                      open.history(), open.position().lsn(), stamp.lsn(), from, from + CHUNK));
      if (!isOwn) {
        throw SimulatedTable.conflict("another backfill");
      }
      last = stamp;
    }
    table.step().run();
    requireFollowed(open);
    if (isLive(open)) {
      table.complete(open.purpose(), open.number(), open.position(), open.history());
    }
  }

  private boolean isLive(SnapshotOpen open) {
    return lake.state().chunked().filter(newest -> newest.number() == open.number()).isPresent();
  }

  /** Changes that the stream can't read any more are in no chunk, nor beside them. */
  private void requireFollowed(SnapshotOpen open) {
    Offset position = lake.toldThrough(open.generation()).orElse(open.position());
    new LossCheck(table.server(), table.asked(), SimulatedTable.AT_ONCE)
        .after(position)
        .ifPresent(
            loss -> {
              throw new DataLossException("not followed", null);
            });
  }
}

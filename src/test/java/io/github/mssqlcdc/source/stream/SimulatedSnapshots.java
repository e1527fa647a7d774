package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.LostChanges;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Extent;
import io.github.mssqlcdc.source.stream.Lake.Read;
import io.github.mssqlcdc.source.stream.LossCheck.Loss;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of a stream's table in a lake, as one process of the facade takes them: to begin with,
 * after losses, on switches, whole and in chunks.
 */
final class SimulatedSnapshots {
  private static final String WHOLE = "whole";

  private final Lake lake;
  private final SimulatedTable table;
  private final SimulatedChunks chunks;
  private final SnapshotMode mode;

  SimulatedSnapshots(SimulatedTable table, SnapshotMode mode) {
    this.lake = table.lake();
    this.table = table;
    this.chunks = new SimulatedChunks(table);
    this.mode = mode;
  }

  /**
   * A stream that may read.
   *
   * @param start where it starts, unless it has a batch
   */
  record Begun(Generation live, Offset start) {}

  /** The generation to go on with. */
  Begun started() {
    Generation live = lake.state().generation();
    int known = lake.checkpoint(live.number()).offsets.size() - 1;
    table.step().run();
    requireOwn(live, known);
    Offset start = begin(live, known < 0);
    table.step().run();
    Offset position = lake.position(live.number()).orElse(start);
    Optional<Loss> loss =
        new LossCheck(table.server(), table.asked(), SimulatedTable.AT_ONCE)
            .after(position)
            .or(() -> restored(live, position));
    if (loss.isEmpty()) {
      return new Begun(live, start);
    }
    recover(live, loss.get());
    Generation next = lake.state().generation();
    if (next.equals(live)) {
      return new Begun(live, start);
    }
    requireOwn(next, lake.checkpoint(next.number()).offsets.size() - 1);
    return new Begun(next, Objects.requireNonNull(next.start()));
  }

  /** Another process may have gone on since the checkpoint was looked at. */
  private void requireOwn(Generation live, int known) {
    if (lake.newest(Lake.batches(live.number())) > known
        || lake.newest(Lake.facts(live.number())) > known) {
      throw SimulatedTable.conflict("the checkpoint knows batches up to " + known + " only");
    }
  }

  /** Finds the snapshot that the generation begins with, or takes one. */
  private Offset begin(Generation live, boolean isNew) {
    boolean isFirst = live.number() == 0;
    int history = isFirst ? (isNew ? table.history() : 0) : live.history();
    Offset from = isFirst ? lake.checkpoint(0).startLog.ofPlanned().orElse(null) : live.start();
    SnapshotState state = lake.state();
    if (mode == SnapshotMode.FULL) {
      new ModeLock(state).requireNoChunked("take");
    } else {
      new ModeLock(state).requireNoFull("open", table.minLsn());
      Optional<SnapshotOpen> there =
          state.chunked().filter(open -> covers(from, history, open.position(), open.history()));
      if (there.isPresent()) {
        return there.get().position();
      }
    }
    int number = lake.newest(WHOLE) + 1;
    Purpose purpose = state.purposeIn(live.number());
    Optional<Commit> held =
        lake.whole().filter(found -> covers(from, history, found.position(), found.history()));
    if (held.isEmpty()) {
      return snapshot(state, purpose, Math.max(history, table.history()), number);
    }
    Integer open = currentFull(state, purpose);
    if (open != null || lake.newest(SimulatedTable.COMPLETIONS) < live.number()) {
      table.complete(purpose, open, held.get().position(), held.get().history());
    }
    return held.get().position();
  }

  private static boolean covers(@Nullable Offset from, int history, Offset snapshot, int of) {
    return of > history || of == history && (from == null || !snapshot.lsn().isBefore(from.lsn()));
  }

  private Optional<Loss> restored(Generation live, Offset position) {
    List<Offset> planned = lake.checkpoint(live.number()).offsets;
    try {
      if (!planned.isEmpty()) {
        table.requireSamePast(planned.get(planned.size() - 1));
      }
      table.requireSamePast();
      return Optional.empty();
    } catch (HistoryChangedException e) {
      return Optional.of(new Loss(LossKind.RESTORED, position, null, ""));
    }
  }

  private Optional<Commit> usable() {
    return lake.whole()
        .filter(held -> !table.minLsn().isAfter(held.position().lsn().next()))
        .filter(held -> table.isSameAt(held.position()));
  }

  private void recover(Generation live, Loss loss) {
    Purpose purpose =
        Purpose.resnapshot(live.number() + 1, new LostChanges(loss.kind().text(), null, loss.to()));
    int written =
        lake.newestOf(Lake.batches(live.number())).map(Commit::history).orElse(live.history());
    Optional<Commit> held = usable().filter(found -> isAfter(found, loss, written));
    table.step().run();
    if (held.isPresent()) {
      Integer open =
          lake.state()
              .current()
              .filter(one -> !one.isChunked())
              .map(SnapshotOpen::number)
              .orElse(null);
      table.complete(purpose, open, held.get().position(), held.get().history());
    } else {
      int history = table.history();
      takeAnew(
          purpose, loss.kind() == LossKind.RESTORED ? Math.max(history, written + 1) : history);
    }
  }

  private static boolean isAfter(Commit held, Loss loss, int written) {
    return held.history() > written
        || loss.kind() != LossKind.RESTORED
            && held.history() == written
            && held.position().lsn().isAfter(loss.position().lsn());
  }

  private static @Nullable Integer currentFull(SnapshotState state, Purpose purpose) {
    return state
        .current()
        .filter(open -> !open.isChunked() && open.purpose().equals(purpose))
        .map(SnapshotOpen::number)
        .orElse(null);
  }

  void fillColumns() {
    SnapshotState state = lake.state();
    Optional<Lsn> from = state.unfilled();
    if (from.isEmpty()) {
      return;
    }
    table.requireSamePast();
    int history = lake.highestHistory();
    Purpose purpose = Purpose.ofSwitch(state.generation().number());
    Optional<Commit> held =
        usable()
            .filter(found -> found.history() == history)
            .filter(found -> !found.position().lsn().isBefore(from.get()));
    table.step().run();
    if (held.isPresent()) {
      Commit found = held.get();
      int open =
          state
              .current()
              .filter(one -> !one.isChunked() && one.purpose().isForSwitch())
              .map(SnapshotOpen::number)
              .orElseGet(() -> openFull(state, purpose, found.position(), history).number());
      table.complete(purpose, open, found.position(), history);
    } else {
      takeAnew(purpose, history);
    }
  }

  private void takeAnew(Purpose purpose, int history) {
    int number = lake.newest(WHOLE) + 1;
    SnapshotState state = lake.state();
    if (state.lacks(purpose)) {
      ModeLock lock = new ModeLock(state);
      if (mode == SnapshotMode.FULL) {
        lock.requireNoChunked("take");
      } else {
        lock.requireNoFull("open", table.minLsn());
      }
      var unused = snapshot(state, purpose, history, number);
    }
  }

  private Offset snapshot(SnapshotState state, Purpose purpose, int history, int number) {
    return mode == SnapshotMode.FULL
        ? whole(state, purpose, history, number)
        : chunks.open(state, purpose, history);
  }

  private Offset whole(SnapshotState state, Purpose purpose, int history, int number) {
    Offset stamp = table.stamp();
    table.step().run();
    SnapshotOpen open = openFull(state, purpose, stamp, history);
    new ModeLock(lake.state()).requireOwn(open);
    boolean isOwn =
        table.append(
            new Commit(WHOLE, number, history, stamp, true, List.of(), null),
            () -> {
              Read read = table.read(history, stamp.lsn(), stamp.lsn(), 0, Integer.MAX_VALUE);
              table.step().run();
              new ModeLock(lake.state()).requireOwn(open);
              if (table.minLsn().isAfter(stamp.lsn().next())) {
                throw new DataLossException("overtaken", null);
              }
              return read;
            });
    if (!isOwn) {
      throw SimulatedTable.conflict("another snapshot is there");
    }
    table.complete(purpose, open.number(), stamp, history);
    return stamp;
  }

  /** Rows of full ones have no transaction id: two may have the same number. */
  private SnapshotOpen openFull(SnapshotState state, Purpose purpose, Offset stamp, int history) {
    SnapshotOpen open =
        SimulatedTable.open(
            table.nextNumber(state), SnapshotMode.FULL, purpose, new Extent(stamp, history));
    lake.opens.add(open);
    table.step().run();
    return open;
  }
}

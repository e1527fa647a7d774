package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.LostChanges;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Image;
import io.github.mssqlcdc.source.stream.LossCheck.Loss;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import io.github.mssqlcdc.testkit.source.ChangingDatabase;
import io.github.mssqlcdc.testkit.source.ChangingServer;
import io.github.mssqlcdc.testkit.source.ChangingTable.Column;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of a stream's table in a lake, as the facade takes them: after losses, on switches,
 * whole and in chunks. A process may die between any two writes.
 */
final class SimulatedSnapshots {
  private static final int CHUNKS = 2;
  private static final int CHUNK = 5;
  private static final Duration AT_ONCE = Duration.ZERO;

  private final Lake lake;
  private final ChangingDatabase database;
  private final ChangingServer server;
  private final SnapshotMode mode;
  private Runnable steps = () -> {};

  SimulatedSnapshots(
      Lake lake, ChangingDatabase database, ChangingServer server, SnapshotMode mode) {
    this.lake = lake;
    this.database = database;
    this.server = server;
    this.mode = mode;
  }

  private CaptureInstance asked() {
    return server.tableInstances(ChangingServer.INSTANCE).asked();
  }

  /** The generation to go on with. */
  Generation started(Runnable step) {
    steps = step;
    if (lake.state().generation().start() == null) {
      snapshot(Purpose.BOOTSTRAP, 0);
    } else {
      requireMode(lake.state());
    }
    Generation live = lake.state().generation();
    Offset position =
        lake.checkpoint(live.number()).position().orElse(Objects.requireNonNull(live.start()));
    Optional<Loss> loss =
        new LossCheck(server, asked(), AT_ONCE).after(position).or(() -> restored(position));
    if (loss.isEmpty()) {
      return live;
    }
    recover(live, loss.get());
    return lake.state().generation();
  }

  private void requireMode(SnapshotState state) {
    if (mode == SnapshotMode.FULL) {
      new ModeLock(state).requireNoChunked("take");
    }
  }

  private Optional<Loss> restored(Offset position) {
    List<Offset> planned = lake.checkpoint(lake.state().generation().number()).offsets;
    try {
      if (!planned.isEmpty()) {
        requireSamePast(planned.get(planned.size() - 1));
      }
      requireSamePast();
      return Optional.empty();
    } catch (HistoryChangedException e) {
      return Optional.of(new Loss(LossKind.RESTORED, position, null, ""));
    }
  }

  void requireSamePast() {
    lake.highest().ifPresent(this::requireSamePast);
  }

  private void requireSamePast(Offset position) {
    new HistoryCheck(ChangingServer.INSTANCE).requireSame(server, position, AT_ONCE);
  }

  private boolean isUsable(Commit held) {
    Lsn minLsn = Objects.requireNonNull(asked().startLsn());
    try {
      requireSamePast(held.position());
      return !minLsn.isAfter(held.position().lsn().next());
    } catch (HistoryChangedException e) {
      return false;
    }
  }

  private void recover(Generation live, Loss loss) {
    Purpose purpose =
        Purpose.resnapshot(live.number() + 1, new LostChanges(loss.kind().text(), null, loss.to()));
    int written = lake.historyOf(live.number()).orElse(live.history());
    Optional<Commit> held =
        lake.whole()
            .filter(this::isUsable)
            .filter(
                found ->
                    found.history() > written
                        || loss.kind() != LossKind.RESTORED
                            && found.history() == written
                            && found.position().lsn().isAfter(loss.position().lsn()));
    if (held.isPresent()) {
      steps.run();
      complete(purpose, currentFull(purpose), held.get());
      return;
    }
    int known = lake.highestHistory();
    int history =
        loss.kind() == LossKind.RESTORED
            ? Math.max(restored(loss.position()).isPresent() ? known + 1 : known, written + 1)
            : known;
    snapshot(purpose, history);
  }

  private @Nullable Integer currentFull(Purpose purpose) {
    return lake.state()
        .current()
        .filter(open -> !open.isChunked() && open.purpose().equals(purpose))
        .map(SnapshotOpen::number)
        .orElse(null);
  }

  private void complete(Purpose purpose, @Nullable Integer open, Commit snapshot) {
    lake.ends.add(new SnapshotEnd(open, SnapshotEnd.How.COMPLETE, null, null, 0, null));
    if (!purpose.isForSwitch()) {
      lake.completed.add(
          new Generation(purpose.generation(), snapshot.position(), snapshot.history()));
    }
    steps.run();
  }

  void fillColumns() {
    SnapshotState state = lake.state();
    Optional<Lsn> from = state.unfilled();
    if (from.isEmpty()) {
      return;
    }
    requireSamePast();
    int history = lake.highestHistory();
    Purpose purpose = Purpose.ofSwitch(state.generation().number());
    Optional<Commit> held =
        lake.whole()
            .filter(this::isUsable)
            .filter(found -> found.history() == history)
            .filter(found -> !found.position().lsn().isBefore(from.get()));
    if (held.isPresent()) {
      Integer open = currentFull(purpose);
      complete(
          purpose,
          open == null ? open(purpose, SnapshotMode.FULL, held.get().position(), history) : open,
          held.get());
    } else {
      snapshot(purpose, history);
    }
  }

  private void snapshot(Purpose purpose, int history) {
    SnapshotState state = lake.state();
    if (!state.lacks(purpose)) {
      return;
    }
    if (mode == SnapshotMode.FULL) {
      new ModeLock(state).requireNoChunked("take");
    } else {
      new ModeLock(state).requireNoFull("open", asked().startLsn());
    }
    Offset stamp = stamp();
    steps.run();
    int open = open(purpose, mode, stamp, history);
    if (mode == SnapshotMode.CHUNKED) {
      return;
    }
    List<Image> rows = read(history, stamp.lsn(), stamp.lsn(), 0, Integer.MAX_VALUE);
    steps.run();
    if (Objects.requireNonNull(asked().startLsn()).isAfter(stamp.lsn().next())) {
      throw new DataLossException("overtaken", null);
    }
    Commit commit = new Commit(-1, history, stamp, true);
    append(rows, commit);
    complete(purpose, open, commit);
  }

  private Offset stamp() {
    SnapshotStamp taken = server.snapshotStamp(asked());
    MapEntry entry = taken.entry();
    return entry == null
        ? Offset.of(taken.lsn())
        : new Offset(taken.lsn(), server.commitTs(entry), entry.at());
  }

  private int open(Purpose purpose, SnapshotMode how, Offset stamp, int history) {
    int number = lake.state().nextNumber();
    lake.opens.add(
        new SnapshotOpen(
            number,
            how,
            purpose,
            stamp,
            history,
            List.of("id"),
            "bronze",
            LocalDateTime.MIN,
            null));
    steps.run();
    return number;
  }

  void append(List<Image> rows, Commit commit) {
    if (commit.history() < lake.highestHistory()) {
      throw new CdcException(ErrorCode.CONFLICTING_WRITER, "a higher history", null);
    }
    lake.bronze.addAll(rows);
    lake.commits.add(commit);
    steps.run();
  }

  /** The table's rows with the columns that an instance captures. */
  private List<Image> read(int history, Lsn snapshot, Lsn stamp, int from, int to) {
    Set<String> captured = new HashSet<>();
    for (CaptureInstance one : server.captureInstances()) {
      server.capturedColumns(one).forEach(column -> captured.add(column.name()));
    }
    List<Image> rows = new ArrayList<>();
    ChangePosition position = new ChangePosition(stamp, null, Lsn.ZERO, 0);
    database
        .table()
        .rows()
        .subMap(from, true, to, false)
        .forEach(
            (id, row) -> {
              Map<String, @Nullable String> values = new HashMap<>();
              for (Column column : database.table().columns()) {
                if (captured.contains(column.name())) {
                  values.put(column.name(), Objects.requireNonNull(row.get(column.id())).value());
                }
              }
              rows.add(new Image(history, position, snapshot, id, values, Set.of()));
            });
    return rows;
  }

  /** A call of backfill: reads the chunks that are still to be read. */
  void backfill(Runnable step) {
    steps = step;
    SnapshotState state = lake.state();
    SnapshotOpen open = state.chunked().orElse(null);
    if (open == null || state.end(open).isPresent()) {
      return;
    }
    new ModeLock(state).requireNoFull("read", asked().startLsn());
    Set<Integer> done = lake.chunks.computeIfAbsent(open.number(), number -> new HashSet<>());
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      if (!done.contains(chunk)) {
        Offset stamp = stamp();
        requireSamePast(
            lake.commits.stream()
                .filter(commit -> !commit.whole() && commit.generation() == -open.number() - 2)
                .map(Commit::position)
                .reduce((older, newer) -> newer)
                .orElse(open.position()));
        steps.run();
        append(
            read(
                open.history(),
                open.position().lsn(),
                stamp.lsn(),
                chunk * CHUNK,
                (chunk + 1) * CHUNK),
            new Commit(-open.number() - 2, open.history(), stamp, false));
        done.add(chunk);
        if (!lake.state().current().filter(open::equals).isPresent()) {
          return;
        }
      }
    }
    steps.run();
    complete(open.purpose(), open.number(), new Commit(-1, open.history(), open.position(), false));
  }
}

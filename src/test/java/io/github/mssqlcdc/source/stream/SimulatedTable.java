package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.source.stream.Lake.Commit;
import io.github.mssqlcdc.source.stream.Lake.Extent;
import io.github.mssqlcdc.source.stream.Lake.Image;
import io.github.mssqlcdc.source.stream.Lake.Read;
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
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a process sees of its table on the server and in the lake, and how it writes. Between any
 * two of its steps it may die, and another process may do the same work.
 *
 * @param step called between two steps
 */
record SimulatedTable(Lake lake, ChangingDatabase database, ChangingServer server, Runnable step) {
  static final String OPENS = "opens";
  static final String COMPLETIONS = "completions";
  static final Duration AT_ONCE = Duration.ZERO;

  CaptureInstance asked() {
    return server.tableInstances(ChangingServer.INSTANCE).asked();
  }

  Lsn minLsn() {
    return Objects.requireNonNull(asked().startLsn());
  }

  void requireSamePast() {
    lake.highest().ifPresent(this::requireSamePast);
  }

  void requireSamePast(Offset position) {
    new HistoryCheck(ChangingServer.INSTANCE).requireSame(server, position, AT_ONCE);
  }

  boolean isSameAt(Offset position) {
    try {
      requireSamePast(position);
      return true;
    } catch (HistoryChangedException e) {
      return false;
    }
  }

  /** The history that a snapshot taken now belongs to. */
  int history() {
    try {
      requireSamePast();
      return lake.highestHistory();
    } catch (HistoryChangedException e) {
      return lake.highestHistory() + 1;
    }
  }

  /** Tells the facts, once. */
  void complete(Purpose purpose, @Nullable Integer open, Offset stamp, int history) {
    step.run();
    boolean isFirst =
        purpose.isForSwitch()
            ? lake.once("switches", Objects.requireNonNull(open))
            : lake.once(COMPLETIONS, purpose.generation());
    boolean isAgain =
        !isFirst
            && !purpose.isForSwitch()
            && open != null
            && lake.ends.stream().noneMatch(end -> open.equals(end.open()))
            && lake.once("completed again", open);
    if (isFirst || isAgain) {
      lake.ends.add(new SnapshotEnd(open, SnapshotEnd.How.COMPLETE, null, null, 0, null));
      if (!purpose.isForSwitch()) {
        lake.completed.add(new Generation(purpose.generation(), stamp, history));
      }
    }
    step.run();
  }

  Offset stamp() {
    SnapshotStamp taken = server.snapshotStamp(asked());
    MapEntry entry = taken.entry();
    return entry == null
        ? Offset.of(taken.lsn())
        : new Offset(taken.lsn(), server.commitTs(entry), entry.at());
  }

  int nextNumber(SnapshotState state) {
    return Math.max(state.nextNumber(), lake.newest(OPENS) + 1);
  }

  static SnapshotOpen open(int number, SnapshotMode how, Purpose purpose, Extent extent) {
    return new SnapshotOpen(
        number,
        how,
        purpose,
        extent.position(),
        extent.history(),
        List.of("id"),
        "bronze",
        LocalDateTime.MIN,
        null);
  }

  /**
   * What is looked at before the read isn't when the rows are committed: Delta's transaction id
   * alone is.
   *
   * @return false if the table has this transaction id, or a higher one of the application
   */
  boolean append(Commit commit, Supplier<Read> rows) {
    if (lake.newest(commit.application()) >= commit.version()) {
      return false;
    }
    if (commit.history() < lake.historyOfBronze()) {
      throw conflict("a higher history");
    }
    Read read = rows.get();
    step.run();
    boolean isOwn = lake.once(commit.application(), commit.version());
    if (isOwn) {
      lake.bronze.addAll(read.images());
      lake.written
          .computeIfAbsent(commit.application(), one -> new ArrayList<>())
          .addAll(read.images());
      lake.commits.add(seen(commit, read.seen()));
    }
    step.run();
    return isOwn;
  }

  static CdcException conflict(String why) {
    return new CdcException(ErrorCode.CONFLICTING_WRITER, why);
  }

  private static Commit seen(Commit commit, @Nullable Offset seen) {
    return new Commit(
        commit.application(),
        commit.version(),
        commit.history(),
        commit.position(),
        commit.whole(),
        commit.events(),
        seen);
  }

  /** Reads a part of the table for a stamp: commits that are later than it are seen, too. */
  Read read(int history, Lsn snapshot, Lsn stamp, int from, int to) {
    return new Read(rows(history, snapshot, stamp, from, to), stamp());
  }

  /** The table's rows with the columns that an instance captures. */
  private List<Image> rows(int history, Lsn snapshot, Lsn stamp, int from, int to) {
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
}

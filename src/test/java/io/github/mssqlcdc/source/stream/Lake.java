package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What outlives the processes of a stream: bronze, the facts, the plans table and Spark's logs per
 * generation. A method is what no other process can come in between.
 */
final class Lake {
  private static final int DELETE = 1;
  private static final int BEFORE = 3;

  final List<Image> bronze = new ArrayList<>();
  final List<Commit> commits = new ArrayList<>();

  /** The same rows by the application id of their commit. */
  final Map<String, List<Image>> written = new HashMap<>();

  final List<SnapshotOpen> opens = new ArrayList<>();
  final List<SnapshotEnd> ends = new ArrayList<>();
  final List<Generation> completed = new ArrayList<>();
  final List<SnapshotState.Gap> gaps = new ArrayList<>();
  final Map<Integer, List<SourceEvent.ColumnGap>> told = new HashMap<>();

  /** What the plans table keeps of chunked opens, by their number. */
  final Map<Integer, Extent> extents = new HashMap<>();

  private final Map<Integer, Checkpoint> checkpoints = new HashMap<>();

  /** Delta's transaction ids, of all tables: the highest version of each application id. */
  private final Map<String, Integer> versions = new HashMap<>();

  /**
   * A row of bronze.
   *
   * @param position operation 0, and where the row was read, for one of a snapshot
   * @param snapshot S; null for a change
   * @param values without the unknown ones
   */
  record Image(
      int history,
      ChangePosition position,
      @Nullable Lsn snapshot,
      int id,
      Map<String, @Nullable String> values,
      Set<String> unknown) {}

  /**
   * A commit of bronze.
   *
   * @param application its transaction id's
   * @param whole whether it holds a whole snapshot
   * @param events what it tells of the source
   * @param seen how far its rows have seen, if they are of a snapshot; null: a batch's
   */
  record Commit(
      String application,
      int version,
      int history,
      Offset position,
      boolean whole,
      List<SourceEvent> events,
      @Nullable Offset seen) {

    Stream<Offset> positions() {
      return seen == null ? Stream.of(position) : Stream.of(position, seen);
    }
  }

  /**
   * Rows as they were read.
   *
   * @param seen how far the read has seen, if it is a snapshot's; null: a batch's
   */
  record Read(List<Image> images, @Nullable Offset seen) {}

  /** S of a chunked open, and the history that it belongs to. */
  record Extent(Offset position, int history) {}

  /** Spark's logs of one generation. */
  static final class Checkpoint {
    final List<Offset> offsets = new ArrayList<>();
    final MemoryStartLog startLog = new MemoryStartLog();
    private int committed;

    /** How many batches are done. */
    int committed() {
      return committed;
    }

    /** Whether the batch is the log's next one; another process may have taken it. */
    boolean plan(int batch, Offset end) {
      if (batch != offsets.size()) {
        return false;
      }
      offsets.add(end);
      startLog.plan();
      return true;
    }

    /** Likewise that a batch is done. */
    boolean commit(int batch) {
      if (batch != committed) {
        return false;
      }
      committed++;
      return true;
    }
  }

  /** Whether the commit goes in; of an application id versions only grow. */
  boolean once(String application, int version) {
    if (newest(application) >= version) {
      return false;
    }
    versions.put(application, version);
    return true;
  }

  /** The highest version of an application id; -1 if it has none. */
  int newest(String application) {
    return versions.getOrDefault(application, -1);
  }

  /** Application id of a generation's batches in bronze. */
  static String batches(int generation) {
    return "batches " + generation;
  }

  /** The same in the facts. */
  static String facts(int generation) {
    return "facts " + generation;
  }

  /** The facts' rows in the order in which they are read. */
  SnapshotState state() {
    return new SnapshotState(
        opens.stream().sorted(Comparator.comparing(open -> open.position().lsn())).toList(),
        ends,
        completed.stream().sorted(Comparator.comparing(Lake::start)).toList(),
        gaps);
  }

  private static Lsn start(Generation generation) {
    Offset start = generation.start();
    return start == null ? Lsn.ZERO : start.lsn();
  }

  Checkpoint checkpoint(int generation) {
    return checkpoints.computeIfAbsent(generation, number -> new Checkpoint());
  }

  /** Up to where a stream has read in this generation; empty before it has planned a batch. */
  Optional<Offset> position(int generation) {
    Checkpoint checkpoint = checkpoint(generation);
    int held = Math.max(newest(batches(generation)), newest(facts(generation)));
    int done = Math.max(checkpoint.committed - 1, Math.min(held, checkpoint.offsets.size() - 1));
    return done < 0 ? checkpoint.startLog.ofPlanned() : Optional.of(checkpoint.offsets.get(done));
  }

  /** Up to where it has told the facts. */
  Optional<Offset> toldThrough(int generation) {
    int told = newest(facts(generation));
    return told < 0 ? Optional.empty() : Optional.of(checkpoint(generation).offsets.get(told));
  }

  /** That of the newest commit, which names the highest. */
  int historyOfBronze() {
    return commits.isEmpty() ? 0 : commits.get(commits.size() - 1).history;
  }

  int highestHistory() {
    return Math.max(
        historyOfBronze(), opens.stream().mapToInt(SnapshotOpen::history).max().orElse(0));
  }

  /** The highest position of the highest history. */
  Optional<Offset> highest() {
    int history = historyOfBronze();
    Optional<SnapshotOpen> open = state().newest().filter(one -> one.history() >= history);
    boolean isNewer = open.filter(one -> one.history() > history).isPresent();
    return Stream.concat(
            isNewer ? Stream.empty() : highestInBronze().stream(),
            open.map(SnapshotOpen::position).stream())
        .filter(position -> position.at() != null)
        .max(Comparator.comparing(Offset::lsn));
  }

  /** The same of bronze alone. */
  Optional<Offset> highestInBronze() {
    int history = historyOfBronze();
    return commits.stream()
        .filter(commit -> commit.history == history)
        .flatMap(Commit::positions)
        .filter(position -> position.at() != null)
        .max(Comparator.comparing(Offset::lsn));
  }

  /** How many commits hold rows of snapshots. */
  long reads() {
    return commits.stream().filter(commit -> commit.seen != null).count();
  }

  /** The newest whole snapshot. */
  Optional<Commit> whole() {
    return commits.stream().filter(Commit::whole).reduce((older, newer) -> newer);
  }

  /** The newest commit of an application id. */
  Optional<Commit> newestOf(String application) {
    return commits.stream()
        .filter(commit -> commit.application.equals(application))
        .reduce((older, newer) -> newer);
  }

  /** What the commit of this transaction id tells of the source. */
  List<SourceEvent> events(String application, int version) {
    return commits.stream()
        .filter(commit -> commit.application.equals(application) && commit.version == version)
        .findFirst()
        .map(Commit::events)
        .orElseGet(List::of);
  }

  /** Where the snapshot stands that a rebuild begins with. */
  record Base(int history, Lsn lsn) {}

  Base base() {
    SnapshotState state = state();
    Stream<Base> whole =
        commits.stream().filter(Commit::whole).map(c -> new Base(c.history, c.position.lsn()));
    Stream<Base> chunked =
        opens.stream()
            .filter(SnapshotOpen::isChunked)
            .filter(open -> isComplete(state, open))
            .map(open -> new Base(open.history(), open.position().lsn()));
    return Stream.concat(whole, chunked)
        .max(Comparator.comparingInt(Base::history).thenComparing(Base::lsn))
        .orElseThrow();
  }

  private static boolean isComplete(SnapshotState state, SnapshotOpen open) {
    return state.end(open).filter(end -> end.how() == SnapshotEnd.How.COMPLETE).isPresent();
  }

  /** The changes that a rebuild goes through, in the order of their commits. */
  List<Image> changes() {
    Base base = base();
    return bronze.stream()
        .filter(image -> image.history == base.history && image.snapshot == null)
        .filter(image -> image.position.commit().isAfter(base.lsn))
        .toList();
  }

  /** The latest image of each key; an unknown value is the newest known one before it. */
  NavigableMap<Integer, Map<String, @Nullable String>> rebuilt() {
    Base base = base();
    NavigableMap<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();
    Stream.concat(
            bronze.stream()
                .filter(image -> image.history == base.history)
                .filter(image -> base.lsn.equals(image.snapshot)),
            changes().stream())
        .sorted(Comparator.comparing(Image::position))
        .forEach(
            image -> {
              int operation = image.position.operation();
              if (operation == DELETE) {
                rows.remove(image.id);
              } else if (operation != BEFORE) {
                Map<String, @Nullable String> row = new HashMap<>(image.values);
                Map<String, @Nullable String> before = rows.getOrDefault(image.id, Map.of());
                image.unknown.forEach(column -> row.put(column, before.get(column)));
                rows.put(image.id, row);
              }
            });
    return rows;
  }
}

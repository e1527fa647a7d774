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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What outlives the processes of a stream: bronze, the facts, and Spark's logs per generation. */
final class Lake {
  private static final int DELETE = 1;
  private static final int BEFORE = 3;

  final List<Image> bronze = new ArrayList<>();
  final List<Commit> commits = new ArrayList<>();
  final Map<Integer, Checkpoint> checkpoints = new HashMap<>();
  final List<SnapshotOpen> opens = new ArrayList<>();
  final List<SnapshotEnd> ends = new ArrayList<>();
  final List<Generation> completed = new ArrayList<>();
  final List<SnapshotState.Gap> gaps = new ArrayList<>();
  final Map<Integer, List<SourceEvent.ColumnGap>> told = new HashMap<>();

  /** Which chunks of a chunked snapshot are read, by the number of its open. */
  final Map<Integer, Set<Integer>> chunks = new HashMap<>();

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
   * @param generation that a batch is of; -1: it is a snapshot's
   * @param whole whether it holds a whole snapshot
   */
  record Commit(int generation, int history, Offset position, boolean whole) {}

  /** Spark's logs of one generation, and what it has written. */
  static final class Checkpoint {
    final List<Offset> offsets = new ArrayList<>();
    final MemoryStartLog startLog = new MemoryStartLog();
    final Set<Integer> held = new HashSet<>();
    final Set<Integer> facts = new HashSet<>();

    /** What bronze's commits tell of the source. */
    final Map<Integer, List<SourceEvent>> noted = new HashMap<>();

    int committed;

    /** Up to where the stream has read; empty before its first batch. */
    Optional<Offset> position() {
      int done = committed;
      while (held.contains(done) || facts.contains(done)) {
        done++;
      }
      return done == 0 ? Optional.empty() : Optional.of(offsets.get(done - 1));
    }
  }

  SnapshotState state() {
    return new SnapshotState(opens, ends, completed, gaps);
  }

  Checkpoint checkpoint(int generation) {
    return checkpoints.computeIfAbsent(generation, number -> new Checkpoint());
  }

  int highestHistory() {
    return Stream.concat(
            commits.stream().map(Commit::history), opens.stream().map(SnapshotOpen::history))
        .max(Comparator.naturalOrder())
        .orElse(0);
  }

  /** The highest position of the highest history. */
  Optional<Offset> highest() {
    int history = highestHistory();
    return Stream.concat(
            commits.stream().filter(c -> c.history == history).map(Commit::position),
            opens.stream().filter(o -> o.history() == history).map(SnapshotOpen::position))
        .max(Comparator.comparing(Offset::lsn));
  }

  /** The newest whole snapshot. */
  Optional<Commit> whole() {
    return commits.stream().filter(Commit::whole).reduce((older, newer) -> newer);
  }

  /** The history that the generation's last batch was written with. */
  Optional<Integer> historyOf(int generation) {
    return commits.stream()
        .filter(commit -> commit.generation == generation)
        .map(Commit::history)
        .reduce((older, newer) -> newer);
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

  static boolean isComplete(SnapshotState state, SnapshotOpen open) {
    return state.end(open).filter(end -> end.how() == SnapshotEnd.How.COMPLETE).isPresent();
  }

  /** The latest image of each key; an unknown value is the newest known one before it. */
  NavigableMap<Integer, Map<String, @Nullable String>> rebuilt() {
    Base base = base();
    NavigableMap<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();
    bronze.stream()
        .filter(image -> image.history == base.history)
        .filter(
            image ->
                image.snapshot == null
                    ? image.position.commit().isAfter(base.lsn)
                    : image.snapshot.equals(base.lsn))
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

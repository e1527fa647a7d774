package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The snapshots of one stream, as its facts have them. The newest one counts: it has closed all
 * before it, and is closed by the row that carries its number.
 *
 * @param opens in any order
 * @param ends likewise
 * @param completed generations whose snapshot is complete, likewise
 */
public record SnapshotState(
    List<SnapshotOpen> opens, List<SnapshotEnd> ends, List<Generation> completed) {
  /** Of a chunked and a full one under the same number the chunked one was decided by Delta. */
  private static final Comparator<SnapshotOpen> BY_AGE =
      Comparator.comparingInt(SnapshotOpen::number)
          .thenComparing(SnapshotOpen::isChunked)
          .thenComparing(open -> open.position().lsn());

  public SnapshotState {
    opens = List.copyOf(opens);
    ends = List.copyOf(ends);
    completed = List.copyOf(completed);
  }

  public SnapshotState(List<SnapshotOpen> opens, List<SnapshotEnd> ends) {
    this(opens, ends, List.of());
  }

  /**
   * Changes that the stream has skipped.
   *
   * @param generation the one that skipped them
   * @param to where it went on
   */
  record Gap(int generation, Lsn to) {}

  /**
   * The same, where changes were lost. A chunked snapshot lives on the changes after its S: a gap
   * among them gives it up, unless it was complete by then.
   *
   * @param gaps where the stream went on after changes that are gone
   */
  static SnapshotState of(
      List<SnapshotOpen> opens,
      List<SnapshotEnd> ends,
      List<Generation> completed,
      List<Gap> gaps) {
    SnapshotState known = new SnapshotState(opens, ends);
    Stream<SnapshotEnd> torn =
        opens.stream()
            .filter(open -> open.isChunked() && known.end(open).isEmpty())
            .filter(open -> gaps.stream().anyMatch(gap -> isTornBy(gap, open)))
            .map(open -> new SnapshotEnd(open.number(), How.ABANDONED, null, null, 0, null));
    return new SnapshotState(opens, Stream.concat(ends.stream(), torn).toList(), completed);
  }

  private static boolean isTornBy(Gap gap, SnapshotOpen open) {
    return gap.generation() == open.generation() && gap.to().isAfter(open.position().lsn().next());
  }

  /**
   * The generation that the stream is in: that of the newest chunked open or of the newest
   * completed snapshot, whichever is later. A full snapshot that isn't complete begins none.
   */
  public Generation generation() {
    return Stream.of(begun(this::isGivenUp), completed.stream(), begun(open -> !isGivenUp(open)))
        .flatMap(each -> each)
        .reduce(
            Generation.FIRST, (latest, next) -> next.number() < latest.number() ? latest : next);
  }

  private Stream<Generation> begun(Predicate<SnapshotOpen> counts) {
    return opens.stream()
        .filter(SnapshotOpen::isChunked)
        .filter(counts)
        .sorted(BY_AGE)
        .map(open -> new Generation(open.generation(), open.position(), open.history()));
  }

  private boolean isGivenUp(SnapshotOpen open) {
    return end(open).filter(end -> end.how() == How.ABANDONED).isPresent();
  }

  /** When the stream last began to make good a loss, UTC; empty if it never did. */
  public Optional<LocalDateTime> lastAttempt() {
    return opens.stream()
        .filter(open -> open.purpose().lost() != null)
        .flatMap(open -> Stream.ofNullable(open.startedAt()))
        .max(Comparator.naturalOrder());
  }

  /** The snapshot begun last, open or not. */
  public Optional<SnapshotOpen> newest() {
    return opens.stream().max(BY_AGE);
  }

  /** The snapshot that is open; empty if none is. */
  public Optional<SnapshotOpen> current() {
    return newest().filter(open -> end(open).isEmpty()).filter(this::isOfLiveGeneration);
  }

  /** What began before the last loss was made good has missed changes. */
  private boolean isOfLiveGeneration(SnapshotOpen open) {
    return open.generation() >= generation().number();
  }

  /** What ended a snapshot; empty while it is open. */
  public Optional<SnapshotEnd> end(SnapshotOpen open) {
    return ends.stream().filter(end -> ended(end, open)).findFirst();
  }

  /** The newest snapshot if it is a chunked one that wasn't given up. */
  public Optional<SnapshotOpen> chunked() {
    return newest()
        .filter(SnapshotOpen::isChunked)
        .filter(this::isOfLiveGeneration)
        .filter(open -> !isGivenUp(open));
  }

  /** Whether a snapshot at this LSN was given up, and none there is left. */
  public boolean isAbandoned(Lsn lsn) {
    List<SnapshotOpen> there =
        opens.stream().filter(open -> open.position().lsn().equals(lsn)).toList();
    return !there.isEmpty() && there.stream().allMatch(this::isGivenUp);
  }

  /** The number that the next open gets. */
  public int nextNumber() {
    return opens.stream().mapToInt(SnapshotOpen::number).max().orElse(-1) + 1;
  }

  private static boolean ended(SnapshotEnd end, SnapshotOpen open) {
    return Objects.equals(end.open(), open.number());
  }
}

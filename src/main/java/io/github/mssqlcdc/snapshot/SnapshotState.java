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
 * @param columnGaps where columns began to be captured, likewise: what was written to them before
 *     is in no change table
 */
public record SnapshotState(
    List<SnapshotOpen> opens,
    List<SnapshotEnd> ends,
    List<Generation> completed,
    List<Gap> columnGaps) {
  /** Where there are no facts. */
  public static final SnapshotState UNKNOWN = new SnapshotState(List.of(), List.of());

  /** Of a chunked and a full one under the same number the chunked one was decided by Delta. */
  private static final Comparator<SnapshotOpen> BY_AGE =
      Comparator.comparingInt(SnapshotOpen::number)
          .thenComparing(SnapshotOpen::isChunked)
          .thenComparing(open -> open.position().lsn());

  public SnapshotState {
    opens = List.copyOf(opens);
    ends = List.copyOf(ends);
    completed = List.copyOf(completed);
    columnGaps = List.copyOf(columnGaps);
  }

  public SnapshotState(List<SnapshotOpen> opens, List<SnapshotEnd> ends) {
    this(opens, ends, List.of(), List.of());
  }

  /**
   * What the stream has no changes of.
   *
   * @param generation the one that went on over it
   * @param to from where on it has changes again
   */
  public record Gap(int generation, Lsn to) {}

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
      List<Gap> gaps,
      List<Gap> columnGaps) {
    SnapshotState known = new SnapshotState(opens, ends);
    Stream<SnapshotEnd> torn =
        opens.stream()
            .filter(open -> open.isChunked() && known.end(open).isEmpty())
            .filter(open -> gaps.stream().anyMatch(gap -> isTornBy(gap, open)))
            .map(open -> new SnapshotEnd(open.number(), How.ABANDONED, null, null, 0, null));
    return new SnapshotState(
        opens, Stream.concat(ends.stream(), torn).toList(), completed, columnGaps);
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
        .filter(open -> open.isChunked() && !open.purpose().isForSwitch())
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

  /**
   * The newest snapshot if it is a chunked one that wasn't given up. What a snapshot on a switch
   * found complete stays so if that one is given up, or is a full one.
   */
  public Optional<SnapshotOpen> chunked() {
    Optional<SnapshotOpen> newest = newest();
    return opens.stream()
        .filter(open -> !isPassing(open))
        .max(BY_AGE)
        .filter(SnapshotOpen::isChunked)
        .filter(this::isOfLiveGeneration)
        .filter(open -> !isGivenUp(open))
        .filter(open -> newest.equals(Optional.of(open)) || end(open).isPresent());
  }

  private boolean isPassing(SnapshotOpen open) {
    return open.purpose().isForSwitch() && (!open.isChunked() || isGivenUp(open));
  }

  /**
   * From where on a snapshot fills the columns whose earlier values the stream doesn't have; empty
   * if there are none, or there is such a snapshot, or a chunked one is open. A new generation has
   * begun with one.
   */
  public Optional<Lsn> unfilled() {
    int live = generation().number();
    return columnGaps.stream()
        .filter(gap -> gap.generation() == live)
        .map(Gap::to)
        .max(Comparator.naturalOrder())
        .filter(to -> opens.stream().noneMatch(open -> fills(open, live, to)));
  }

  private boolean fills(SnapshotOpen open, int live, Lsn to) {
    boolean isThere =
        end(open)
            .map(end -> end.how() == How.COMPLETE)
            .orElse(open.isChunked() && newest().equals(Optional.of(open)));
    return isThere && open.generation() == live && !open.position().lsn().isBefore(to);
  }

  /**
   * What a snapshot is for that a generation begins with, be it the first one or, where that was
   * given up or is gone, another.
   */
  public Purpose purposeIn(int generation) {
    return opens.stream()
        .filter(open -> open.generation() == generation && !open.purpose().isForSwitch())
        .max(BY_AGE)
        .map(SnapshotOpen::purpose)
        .orElseGet(() -> new Purpose(Purpose.Kind.BOOTSTRAP, generation, null));
  }

  /** Whether nobody has taken a snapshot for this purpose yet, or opened a chunked one. */
  public boolean lacks(Purpose purpose) {
    return switch (purpose.kind()) {
      case BOOTSTRAP -> true;
      case RESNAPSHOT -> generation().number() < purpose.generation();
      case SWITCH -> unfilled().isPresent() && generation().number() == purpose.generation();
    };
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

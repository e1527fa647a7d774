package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The snapshots of one stream, as its facts have them. The newest one counts: it has closed all
 * before it, and is closed by the row that carries its number.
 *
 * @param opens in any order
 * @param ends likewise
 */
public record SnapshotState(List<SnapshotOpen> opens, List<SnapshotEnd> ends) {
  /** Of a chunked and a full one under the same number the chunked one was decided by Delta. */
  private static final Comparator<SnapshotOpen> BY_AGE =
      Comparator.comparingInt(SnapshotOpen::number)
          .thenComparing(SnapshotOpen::isChunked)
          .thenComparing(open -> open.position().lsn());

  public SnapshotState {
    opens = List.copyOf(opens);
    ends = List.copyOf(ends);
  }

  /**
   * The same, where changes were lost. A chunked snapshot lives on the changes after its S: a gap
   * among them gives it up, unless it was complete by then.
   *
   * @param gaps where the stream went on after changes that are gone
   */
  static SnapshotState of(List<SnapshotOpen> opens, List<SnapshotEnd> ends, List<Lsn> gaps) {
    SnapshotState known = new SnapshotState(opens, ends);
    Stream<SnapshotEnd> torn =
        opens.stream()
            .filter(open -> open.isChunked() && known.end(open).isEmpty())
            .filter(
                open -> gaps.stream().anyMatch(gap -> gap.isAfter(open.position().lsn().next())))
            .map(open -> new SnapshotEnd(open.number(), How.ABANDONED, null, null, 0, null));
    return new SnapshotState(opens, Stream.concat(ends.stream(), torn).toList());
  }

  /** The snapshot begun last, open or not. */
  public Optional<SnapshotOpen> newest() {
    return opens.stream().max(BY_AGE);
  }

  /** The snapshot that is open; empty if none is. */
  public Optional<SnapshotOpen> current() {
    return newest().filter(open -> end(open).isEmpty());
  }

  /** What ended a snapshot; empty while it is open. */
  public Optional<SnapshotEnd> end(SnapshotOpen open) {
    return ends.stream().filter(end -> ended(end, open)).findFirst();
  }

  /** The newest snapshot if it is a chunked one that wasn't given up. */
  public Optional<SnapshotOpen> chunked() {
    return newest()
        .filter(SnapshotOpen::isChunked)
        .filter(open -> end(open).filter(end -> end.how() == How.ABANDONED).isEmpty());
  }

  /** Whether a snapshot at this LSN was given up, and none there is left. */
  public boolean isAbandoned(Lsn lsn) {
    List<SnapshotOpen> there =
        opens.stream().filter(open -> open.position().lsn().equals(lsn)).toList();
    return !there.isEmpty()
        && there.stream()
            .allMatch(open -> end(open).filter(end -> end.how() == How.ABANDONED).isPresent());
  }

  /** The number that the next open gets. */
  public int nextNumber() {
    return opens.stream().mapToInt(SnapshotOpen::number).max().orElse(-1) + 1;
  }

  private static boolean ended(SnapshotEnd end, SnapshotOpen open) {
    return Objects.equals(end.open(), open.number());
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells which history of the source a snapshot belongs to that is taken now: the highest that is
 * known, or the next one, if the source no longer has the past that the target was written from.
 *
 * @param check given a position; throws {@link HistoryChangedException} if the source has another
 *     past there
 */
public record SourcePast(BronzeTable bronze, Consumer<Offset> check) {

  /**
   * Asks about the highest position that target and facts know.
   *
   * @param events null: there are no facts
   * @throws HistoryChangedException if the source's past is another one now
   */
  public void requireSame(@Nullable SnapshotEvents events) {
    int inBronze = bronze.highestHistory();
    Optional<SnapshotOpen> open =
        events == null
            ? Optional.empty()
            : events.state().newest().filter(newest -> newest.history() >= inBronze);
    Optional<Offset> held =
        open.filter(newest -> newest.history() > inBronze).isPresent()
            ? Optional.empty()
            : bronze.batches().highestPosition();
    Stream.concat(held.stream(), open.map(SnapshotOpen::position).stream())
        .filter(position -> position.at() != null)
        .max(Comparator.comparing(Offset::lsn))
        .ifPresent(check);
  }

  /** The highest history that target and facts know; 0 for new ones. */
  public int known(@Nullable SnapshotEvents events) {
    return Math.max(bronze.highestHistory(), events == null ? 0 : events.highestHistory());
  }

  /** Whether the source still has the past that this position was written from. */
  boolean isSameAt(Offset position) {
    try {
      check.accept(position);
      return true;
    } catch (HistoryChangedException e) {
      return false;
    }
  }

  /** The history of a snapshot taken now. */
  public int history(@Nullable SnapshotEvents events) {
    try {
      requireSame(events);
      return known(events);
    } catch (HistoryChangedException e) {
      return known(events) + 1;
    }
  }
}

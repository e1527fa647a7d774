package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEntry;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.facts.SinkIds;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of the facts that tell of one target's snapshots. Not thread-safe. */
public final class SnapshotEvents {
  private final FactsTable facts;
  private final String appId;
  private final String target;
  private final Clock clock;
  private final SnapshotRows rows;

  /**
   * @param appId base id of the stream, never that of a generation
   * @param target bronze, as the caller spelt it
   */
  public SnapshotEvents(FactsTable facts, String appId, String target, Clock clock) {
    this.facts = facts;
    this.appId = appId;
    this.target = target;
    this.clock = clock;
    this.rows = new SnapshotRows(appId, target, clock);
  }

  /** The stream's snapshots as the facts have them now. A Spark job if the facts have changed. */
  public SnapshotState state() {
    List<SnapshotOpen> opens = new ArrayList<>();
    List<SnapshotEnd> ends = new ArrayList<>();
    List<Generation> completed = new ArrayList<>();
    List<SnapshotState.Gap> gaps = new ArrayList<>();
    List<SnapshotState.Gap> columnGaps = new ArrayList<>();
    for (FactsEntry entry : byPosition(told())) {
      switch (entry.event()) {
        case SNAPSHOT_OPEN -> opens.add(SnapshotRows.open(entry));
        case DATA_SKIPPED -> {
          if (SnapshotRows.isCertain(entry)) {
            gaps.add(SnapshotRows.gap(entry));
          }
        }
        case COLUMN_GAP -> columnGaps.add(SnapshotRows.gap(entry));
        case SNAPSHOT_ABANDONED, SWITCH_SNAPSHOT -> ends.add(SnapshotRows.end(entry));
        default -> {
          ends.add(SnapshotRows.end(entry));
          completed.add(SnapshotRows.generation(entry));
        }
      }
    }
    return SnapshotState.of(opens, ends, completed, gaps, columnGaps);
  }

  private List<FactsEntry> told() {
    return facts.told(appId, target).stream()
        .filter(entry -> SinkIds.isOf(appId, entry.appId()))
        .toList();
  }

  private static List<FactsEntry> byPosition(List<FactsEntry> entries) {
    return entries.stream()
        .sorted(Comparator.comparing((FactsEntry entry) -> entry.position().lsn()))
        .toList();
  }

  /** The generation that the stream is in. A Spark job only if there may be more than one. */
  public Generation generation() {
    boolean isFirst = !facts.hasCompletion(appId, 1) && facts.newest(opens()).isEmpty();
    return isFirst ? Generation.FIRST : state().generation();
  }

  /**
   * The chunked open that was told last, if its row is gone and nobody has given it up: Delta's
   * transaction ids outlive the rows.
   *
   * @param state as it was looked at before
   */
  public OptionalInt forgotten(SnapshotState state) {
    int told = (int) facts.newest(opens()).orElse(-1);
    boolean isKnown =
        state.opens().stream().anyMatch(open -> open.isChunked() && open.number() == told);
    return told < 0 || isKnown || facts.newest(abandoned()).orElse(-1) >= told
        ? OptionalInt.empty()
        : OptionalInt.of(told);
  }

  /**
   * The number that the next open gets: above all that were told, whether or not their rows are
   * there.
   *
   * @param state as it was looked at before
   */
  public int nextNumber(SnapshotState state) {
    return IntStream.of(
                state.nextNumber() - 1,
                (int) facts.newest(opens()).orElse(-1),
                (int) facts.newest(abandoned()).orElse(-1))
            .max()
            .orElse(-1)
        + 1;
  }

  /**
   * Says that a whole snapshot is being taken; before the table is read.
   *
   * @param state as it was looked at before
   */
  public SnapshotOpen openFull(SnapshotState state, Purpose purpose, Offset stamp, int history) {
    SnapshotOpen open =
        new SnapshotOpen(
            nextNumber(state),
            SnapshotMode.FULL,
            purpose,
            stamp,
            history,
            List.of(),
            target,
            LocalDateTime.now(clock),
            null);
    facts.append(rows.opened(open));
    return open;
  }

  /** Says that a chunked snapshot is open; false if this number, or a higher one, is taken. */
  public boolean openChunked(SnapshotOpen open) {
    return facts.appendOnce(opens(), open.number(), List.of(rows.opened(open)));
  }

  /** Whether the facts tell of a snapshot of the stream in this very target, complete or not. */
  public boolean hasBegun() {
    return told().stream().anyMatch(entry -> entry.target().equals(target));
  }

  /** Whether the first snapshot is said to be complete, or a later one. */
  public boolean isBootstrapped() {
    return isComplete(Purpose.BOOTSTRAP.generation());
  }

  /** Whether a snapshot of this generation is said to be complete, or one of a later. */
  public boolean isComplete(int generation) {
    return facts.hasCompletion(appId, generation);
  }

  /**
   * Says that a snapshot is complete; once per open, and of those without one once per generation,
   * however often it is said.
   *
   * @param open number of its open, which one on a switch has; null if it has none, then it is the
   *     generation's first
   * @param count its rows; null if they can't be known any more
   * @param startedAt when taking it began, UTC; null if it was found in the target
   */
  public void completed(
      Purpose purpose,
      @Nullable Integer open,
      Offset stamp,
      int history,
      @Nullable Long count,
      @Nullable LocalDateTime startedAt) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (open != null) {
      detail.put(SnapshotRows.OPEN, open);
    }
    detail.put(SnapshotRows.HISTORY, history);
    detail.put(SnapshotRows.AT, SnapshotRows.text(stamp.at()));
    FactsRow row = rows.completed(purpose, stamp, count, startedAt, detail);
    complete(
        purpose,
        open,
        startedAt == null
            ? row.with(FactsColumn.STARTED_AT, row.value(FactsColumn.WRITTEN_AT))
            : row);
  }

  void complete(Purpose purpose, @Nullable Integer open, FactsRow row) {
    if (purpose.isForSwitch()) {
      facts.appendOnce(appId + "#switch", Objects.requireNonNull(open), List.of(row));
      return;
    }
    boolean isFirst = facts.appendCompletion(appId, purpose.generation(), row);
    if (!isFirst && open != null && !isTold(open)) {
      facts.appendOnce(appId + "#again", open, List.of(row));
    }
  }

  /** Whether the rows that are the first of their generation say so of this open. */
  private boolean isTold(int open) {
    return told().stream()
        .filter(
            entry ->
                entry.event() == FactsEvent.BOOTSTRAP || entry.event() == FactsEvent.RESNAPSHOT)
        .anyMatch(entry -> Objects.equals(SnapshotRows.end(entry).open(), open));
  }

  /** Says that an open snapshot is given up; once. */
  public void abandoned(SnapshotOpen open) {
    facts.appendOnce(abandoned(), open.number(), List.of(rows.abandoned(open)));
  }

  /** The latest commit time that the facts know of the target. */
  public Optional<LocalDateTime> lastEndCommitTs() {
    return facts.lastEndCommitTs(target);
  }

  /** The highest history that the facts know of the target. */
  public int highestHistory() {
    return facts.highestHistory(appId, target);
  }

  /** Delta's transaction id of chunked opens. */
  private String opens() {
    return appId + "#snapshots";
  }

  /** Delta's transaction id of snapshots given up. */
  private String abandoned() {
    return appId + "#abandoned";
  }
}

package io.github.mssqlcdc.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEntry;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.facts.SinkIds;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
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
  static final String OPEN = "open";
  static final String HISTORY = "history";
  static final String AT = "at";
  static final String CHUNKS = "chunks";
  static final String TARGET_ID = "target_id";
  static final String CAUSE = "cause";

  private static final String MODE = "mode";
  private static final String KIND = "kind";
  private static final String GENERATION = "generation";
  private static final String KEYS = "keys";
  private static final String CAPTURE_INSTANCE = "capture_instance";
  private static final String CERTAIN = "certain";
  private static final FactsEvent[] OF_SNAPSHOTS = {
    FactsEvent.SNAPSHOT_OPEN,
    FactsEvent.BOOTSTRAP,
    FactsEvent.RESNAPSHOT,
    FactsEvent.SWITCH_SNAPSHOT,
    FactsEvent.COLUMN_GAP,
    FactsEvent.SNAPSHOT_ABANDONED,
    FactsEvent.DATA_SKIPPED
  };
  private static final double BYTES_PER_MB = 1e6;

  private final FactsTable facts;
  private final String appId;
  private final String target;
  private final Clock clock;

  /**
   * @param appId base id of the stream, never that of a generation
   * @param target bronze, as the caller spelt it
   */
  public SnapshotEvents(FactsTable facts, String appId, String target, Clock clock) {
    this.facts = facts;
    this.appId = appId;
    this.target = target;
    this.clock = clock;
  }

  /** The stream's snapshots as the facts have them now. A Spark job. */
  public SnapshotState state() {
    List<SnapshotOpen> opens = new ArrayList<>();
    List<SnapshotEnd> ends = new ArrayList<>();
    List<Generation> completed = new ArrayList<>();
    List<SnapshotState.Gap> gaps = new ArrayList<>();
    List<SnapshotState.Gap> columnGaps = new ArrayList<>();
    for (FactsEntry entry : byPosition(facts.events(appId, OF_SNAPSHOTS))) {
      switch (entry.event()) {
        case SNAPSHOT_OPEN -> opens.add(open(entry));
        case DATA_SKIPPED -> {
          if (entry.detail().path(CERTAIN).asBoolean()) {
            gaps.add(gap(entry));
          }
        }
        case COLUMN_GAP -> columnGaps.add(gap(entry));
        case SNAPSHOT_ABANDONED, SWITCH_SNAPSHOT -> ends.add(end(entry));
        default -> {
          ends.add(end(entry));
          completed.add(
              new Generation(
                  SinkIds.generationOf(entry.appId()),
                  entry.position(),
                  entry.detail().path(HISTORY).asInt()));
        }
      }
    }
    return SnapshotState.of(opens, ends, completed, gaps, columnGaps);
  }

  private static List<FactsEntry> byPosition(List<FactsEntry> entries) {
    return entries.stream()
        .sorted(Comparator.comparing((FactsEntry entry) -> entry.position().lsn()))
        .toList();
  }

  private static SnapshotState.Gap gap(FactsEntry entry) {
    return new SnapshotState.Gap(SinkIds.generationOf(entry.appId()), entry.position().lsn());
  }

  /** The generation that the stream is in. A Spark job only if there may be more than one. */
  public Generation generation() {
    boolean isFirst = !facts.hasCompletion(appId, 1) && facts.newest(opens(appId)).isEmpty();
    return isFirst ? Generation.FIRST : state().generation();
  }

  private static SnapshotOpen open(FactsEntry entry) {
    List<String> keys = new ArrayList<>();
    entry.detail().path(KEYS).forEach(key -> keys.add(key.asText()));
    return new SnapshotOpen(
        entry.detail().path(OPEN).asInt(),
        SnapshotMode.parse(entry.detail().path(MODE).asText()),
        purpose(entry.detail()),
        entry.position(),
        entry.detail().path(HISTORY).asInt(),
        keys,
        entry.target(),
        entry.startedAt(),
        entry.detail().path(CAPTURE_INSTANCE).textValue());
  }

  private static Purpose purpose(JsonNode detail) {
    int generation = detail.path(GENERATION).asInt();
    if (detail.path(KIND).asText().equals(Purpose.Kind.SWITCH.text())) {
      return Purpose.ofSwitch(generation);
    }
    String cause = detail.path(CAUSE).textValue();
    return cause == null
        ? new Purpose(Purpose.Kind.BOOTSTRAP, generation, null)
        : Purpose.resnapshot(
            generation,
            new LostChanges(
                cause,
                time(detail.path(FactsColumn.LOST_FROM_TS.columnName())),
                time(detail.path(FactsColumn.LOST_TO_TS.columnName()))));
  }

  private static @Nullable LocalDateTime time(JsonNode text) {
    return text.isTextual() ? LocalDateTime.parse(text.textValue()) : null;
  }

  private static SnapshotEnd end(FactsEntry entry) {
    JsonNode number = entry.detail().path(OPEN);
    Double mb = entry.readMb();
    return new SnapshotEnd(
        number.isInt() ? (Integer) number.intValue() : null,
        entry.event() == FactsEvent.SNAPSHOT_ABANDONED ? How.ABANDONED : How.COMPLETE,
        entry.rows(),
        mb == null ? null : (Long) Math.round(mb * BYTES_PER_MB),
        entry.detail().path(CHUNKS).asInt(),
        entry.detail().path(TARGET_ID).textValue());
  }

  /**
   * The chunked open that was told last, if its row is gone and nobody has given it up: Delta's
   * transaction ids outlive the rows.
   *
   * @param state as it was looked at before
   */
  public OptionalInt forgotten(SnapshotState state) {
    int told = (int) facts.newest(opens(appId)).orElse(-1);
    boolean isKnown =
        state.opens().stream().anyMatch(open -> open.isChunked() && open.number() == told);
    return told < 0 || isKnown || facts.newest(abandoned(appId)).orElse(-1) >= told
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
                (int) facts.newest(opens(appId)).orElse(-1),
                (int) facts.newest(abandoned(appId)).orElse(-1))
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
    facts.append(row(open, lost(purpose)));
    return open;
  }

  /** Says that a chunked snapshot is open; false if this number, or a higher one, is taken. */
  public boolean openChunked(SnapshotOpen open) {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put(FactsColumn.LOST_FROM_TS.columnName(), null);
    more.put(FactsColumn.LOST_TO_TS.columnName(), null);
    more.putAll(lost(open.purpose()));
    more.put(KEYS, open.keys());
    more.put(CAPTURE_INSTANCE, open.captureInstance());
    return facts.appendOnce(opens(appId), open.number(), List.of(row(open, more)));
  }

  private static Map<String, Object> lost(Purpose purpose) {
    Map<String, Object> detail = new LinkedHashMap<>();
    LostChanges lost = purpose.lost();
    if (lost != null) {
      detail.put(FactsColumn.LOST_FROM_TS.columnName(), text(lost.from()));
      detail.put(FactsColumn.LOST_TO_TS.columnName(), text(lost.to()));
      detail.put(CAUSE, lost.cause());
    }
    return detail;
  }

  private FactsRow row(SnapshotOpen open, Map<String, Object> more) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(MODE, open.mode().text());
    detail.put(KIND, open.purpose().kind().text());
    detail.put(GENERATION, open.generation());
    detail.put(OPEN, open.number());
    detail.put(HISTORY, open.history());
    detail.put(AT, text(open.position().at()));
    detail.putAll(more);
    return row(FactsEvent.SNAPSHOT_OPEN, open.position(), detail)
        .with(FactsColumn.APP_ID, open.purpose().sinkId(appId))
        .with(FactsColumn.ROWS, 0L)
        .with(FactsColumn.STARTED_AT, open.startedAt());
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
   * @param rows its rows; null if they can't be known any more
   * @param startedAt when taking it began, UTC; null if it was found in the target
   */
  public void completed(
      Purpose purpose,
      @Nullable Integer open,
      Offset stamp,
      int history,
      @Nullable Long rows,
      @Nullable LocalDateTime startedAt) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (open != null) {
      detail.put(OPEN, open);
    }
    detail.put(HISTORY, history);
    detail.put(AT, text(stamp.at()));
    LocalDateTime now = LocalDateTime.now(clock);
    complete(
        facts,
        purpose,
        appId,
        open,
        completion(purpose, appId, target, stamp, detail)
            .with(FactsColumn.WRITTEN_AT, now)
            .with(FactsColumn.ROWS, rows)
            .with(FactsColumn.STARTED_AT, startedAt == null ? now : startedAt)
            .with(
                FactsColumn.DURATION_MS,
                startedAt == null ? null : (Object) startedAt.until(now, ChronoUnit.MILLIS)));
  }

  static void complete(
      FactsTable facts, Purpose purpose, String appId, @Nullable Integer open, FactsRow row) {
    if (purpose.isForSwitch()) {
      facts.appendOnce(appId + "#switch", Objects.requireNonNull(open), List.of(row));
      return;
    }
    boolean isFirst = facts.appendCompletion(appId, purpose.generation(), row);
    if (!isFirst && open != null && !isTold(facts, appId, open)) {
      facts.appendOnce(appId + "#again", open, List.of(row));
    }
  }

  /** Whether the rows that are the first of their generation say so of this open. */
  private static boolean isTold(FactsTable facts, String appId, int open) {
    return facts.events(appId, FactsEvent.BOOTSTRAP, FactsEvent.RESNAPSHOT).stream()
        .anyMatch(entry -> Objects.equals(end(entry).open(), open));
  }

  /** The row that says that a snapshot is complete, and what it made good. */
  static FactsRow completion(
      Purpose purpose, String appId, String target, Offset position, Map<String, Object> detail) {
    LostChanges lost = purpose.lost();
    if (lost != null) {
      detail.put(CAUSE, lost.cause());
    }
    FactsRow row = row(purpose.completion(), purpose.sinkId(appId), target, position, detail);
    return lost == null
        ? row
        : row.with(FactsColumn.LOST_FROM_TS, lost.from())
            .with(FactsColumn.LOST_TO_TS, lost.to())
            .with(FactsColumn.RETENTION_WATERMARK_TS, lost.to());
  }

  /** Says that an open snapshot is given up; once. */
  public void abandoned(SnapshotOpen open) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("snapshot", open.position().lsn().toString());
    detail.put(OPEN, open.number());
    facts.appendOnce(
        abandoned(appId),
        open.number(),
        List.of(
            row(FactsEvent.SNAPSHOT_ABANDONED, open.position(), detail)
                .with(FactsColumn.ROWS, 0L)
                .with(FactsColumn.STARTED_AT, LocalDateTime.now(clock))));
  }

  /** The latest commit time that the facts know of the target. */
  public Optional<LocalDateTime> lastEndCommitTs() {
    return facts.lastEndCommitTs(target);
  }

  /** The highest history that the facts know of the target. */
  public int highestHistory() {
    return facts.highestHistory(appId, target);
  }

  private FactsRow row(FactsEvent event, Offset position, Map<String, ?> detail) {
    return row(event, appId, target, position, detail)
        .with(FactsColumn.WRITTEN_AT, LocalDateTime.now(clock));
  }

  static FactsRow row(
      FactsEvent event, String appId, String target, Offset position, Map<String, ?> detail) {
    String lsn = position.lsn().toString();
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, appId)
        .with(FactsColumn.MIN_LSN, lsn)
        .with(FactsColumn.MAX_LSN, lsn)
        .with(FactsColumn.MIN_COMMIT_TS, position.commitTs())
        .with(FactsColumn.MAX_COMMIT_TS, position.commitTs())
        .with(FactsColumn.EVENT, event.text())
        .with(FactsColumn.END_LSN, lsn)
        .with(FactsColumn.END_COMMIT_TS, position.commitTs())
        .with(FactsColumn.END_AT, position.at())
        .with(FactsColumn.DETAIL, FactsTable.detail(detail))
        .with(FactsColumn.TARGET, target);
  }

  /** Delta's transaction id of chunked opens. */
  static String opens(String appId) {
    return appId + "#snapshots";
  }

  /** Delta's transaction id of snapshots given up. */
  static String abandoned(String appId) {
    return appId + "#abandoned";
  }

  static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : Offset.format(time);
  }
}

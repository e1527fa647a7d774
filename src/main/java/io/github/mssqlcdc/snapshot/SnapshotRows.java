package io.github.mssqlcdc.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEntry;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.facts.Megabytes;
import io.github.mssqlcdc.facts.SinkIds;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a target's snapshots, as rows of the facts and back.
 *
 * @param appId base id of the stream, never that of a generation
 * @param target bronze, as the caller spelt it
 * @param clock in UTC
 */
record SnapshotRows(String appId, String target, Clock clock) {
  static final String OPEN = "open";
  static final String HISTORY = "history";
  static final String AT = "at";
  static final String CHUNKS = "chunks";
  static final String TARGET_ID = "target_id";

  private static final String CAUSE = "cause";
  private static final String MODE = "mode";
  private static final String KIND = "kind";
  private static final String GENERATION = "generation";
  private static final String KEYS = "keys";
  private static final String CAPTURE_INSTANCE = "capture_instance";
  private static final String CERTAIN = "certain";

  /** The row that says that a snapshot is open. */
  FactsRow opened(SnapshotOpen open) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(MODE, open.mode().text());
    detail.put(KIND, open.purpose().kind().text());
    detail.put(GENERATION, open.generation());
    detail.put(OPEN, open.number());
    detail.put(HISTORY, open.history());
    detail.put(AT, text(open.position().at()));
    if (open.isChunked()) {
      detail.put(FactsColumn.LOST_FROM_TS.columnName(), null);
      detail.put(FactsColumn.LOST_TO_TS.columnName(), null);
    }
    LostChanges lost = open.purpose().lost();
    if (lost != null) {
      detail.put(FactsColumn.LOST_FROM_TS.columnName(), text(lost.from()));
      detail.put(FactsColumn.LOST_TO_TS.columnName(), text(lost.to()));
      detail.put(CAUSE, lost.cause());
    }
    if (open.isChunked()) {
      detail.put(KEYS, open.keys());
      detail.put(CAPTURE_INSTANCE, open.captureInstance());
    }
    return event(FactsEvent.SNAPSHOT_OPEN, open.purpose().sinkId(appId), open.position(), detail)
        .with(FactsColumn.ROWS, 0L)
        .with(FactsColumn.STARTED_AT, open.startedAt());
  }

  static SnapshotOpen open(FactsEntry entry) {
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
                Offset.time(detail.path(FactsColumn.LOST_FROM_TS.columnName()).textValue()),
                Offset.time(detail.path(FactsColumn.LOST_TO_TS.columnName()).textValue())));
  }

  /**
   * The row that says that a snapshot is complete, and what it made good.
   *
   * @param rows its rows; null if they can't be known any more
   * @param startedAt when taking it began, UTC; null if unknown
   */
  FactsRow completed(
      Purpose purpose,
      Offset position,
      @Nullable Long rows,
      @Nullable LocalDateTime startedAt,
      Map<String, Object> detail) {
    LostChanges lost = purpose.lost();
    if (lost != null) {
      detail.put(CAUSE, lost.cause());
    }
    LocalDateTime now = LocalDateTime.now(clock);
    FactsRow row =
        event(purpose.completion(), purpose.sinkId(appId), position, detail)
            .with(FactsColumn.ROWS, rows)
            .with(FactsColumn.STARTED_AT, startedAt)
            .with(
                FactsColumn.DURATION_MS,
                startedAt == null ? null : (Object) startedAt.until(now, ChronoUnit.MILLIS));
    return lost == null
        ? row
        : row.with(FactsColumn.LOST_FROM_TS, lost.from())
            .with(FactsColumn.LOST_TO_TS, lost.to())
            .with(FactsColumn.RETENTION_WATERMARK_TS, lost.to());
  }

  static Generation generation(FactsEntry completed) {
    return new Generation(
        SinkIds.generationOf(completed.appId()),
        completed.position(),
        completed.detail().path(HISTORY).asInt());
  }

  /** The row that says that a snapshot is given up. */
  FactsRow abandoned(SnapshotOpen open) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("snapshot", open.position().lsn().toString());
    detail.put(OPEN, open.number());
    return event(FactsEvent.SNAPSHOT_ABANDONED, appId, open.position(), detail)
        .with(FactsColumn.ROWS, 0L)
        .with(FactsColumn.STARTED_AT, LocalDateTime.now(clock));
  }

  /** What a row that says that a snapshot is complete, or given up, tells of its end. */
  static SnapshotEnd end(FactsEntry entry) {
    JsonNode number = entry.detail().path(OPEN);
    return new SnapshotEnd(
        number.isInt() ? (Integer) number.intValue() : null,
        entry.event() == FactsEvent.SNAPSHOT_ABANDONED ? How.ABANDONED : How.COMPLETE,
        entry.rows(),
        Megabytes.bytes(entry.readMb()),
        entry.detail().path(CHUNKS).asInt(),
        entry.detail().path(TARGET_ID).textValue());
  }

  static SnapshotState.Gap gap(FactsEntry entry) {
    return new SnapshotState.Gap(SinkIds.generationOf(entry.appId()), entry.position().lsn());
  }

  /** Whether changes in a gap are lost for certain. */
  static boolean isCertain(FactsEntry gap) {
    return gap.detail().path(CERTAIN).asBoolean();
  }

  /**
   * The row of an event at a position.
   *
   * @param sinkId the stream's id in the row
   */
  FactsRow event(FactsEvent event, String sinkId, Offset position, Map<String, ?> detail) {
    String lsn = position.lsn().toString();
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, sinkId)
        .with(FactsColumn.MIN_LSN, lsn)
        .with(FactsColumn.MAX_LSN, lsn)
        .with(FactsColumn.MIN_COMMIT_TS, position.commitTs())
        .with(FactsColumn.MAX_COMMIT_TS, position.commitTs())
        .with(FactsColumn.EVENT, event.text())
        .with(FactsColumn.END_LSN, lsn)
        .with(FactsColumn.END_COMMIT_TS, position.commitTs())
        .with(FactsColumn.END_AT, position.at())
        .with(FactsColumn.DETAIL, FactsTable.detail(detail))
        .with(FactsColumn.TARGET, target)
        .with(FactsColumn.WRITTEN_AT, LocalDateTime.now(clock));
  }

  static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : Offset.format(time);
  }
}

package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.bronze.BatchKey;
import io.github.mssqlcdc.bronze.BatchRange;
import io.github.mssqlcdc.bronze.BatchRows;
import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.facts.Megabytes;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.metric.SkippedChanges;
import io.github.mssqlcdc.metric.SourceEvent;
import io.github.mssqlcdc.offset.Offset;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a batch's row of the facts. */
final class BatchFacts {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double MILLIS_PER_HOUR = 3_600_000;
  private static final double HUNDREDTHS = 100;

  private final String target;
  private final Clock clock;

  BatchFacts(String target, Clock clock) {
    this.target = target;
    this.clock = clock;
  }

  /**
   * @param startedAt when the work on the batch began, UTC
   */
  record Work(BatchKey key, BatchRange range, LocalDateTime startedAt) {}

  /** The row of a batch that has just been read. */
  FactsRow measured(Work work, BatchMeasure measure, List<String> warnings) {
    RangeMeasure total = measure.total();
    FactsRow row = base(work, measure, warnings);
    return total == null ? row : read(row, total);
  }

  /** The row of a batch whose rows an earlier attempt wrote: what wasn't measured stays null. */
  FactsRow rebuilt(Work work, BatchMeasure measure, BatchRows found, List<String> warnings) {
    return base(work, measure, warnings)
        .with(FactsColumn.ROWS, found.rows())
        .with(FactsColumn.MIN_LSN, found.minLsn())
        .with(FactsColumn.MAX_LSN, found.maxLsn())
        .with(FactsColumn.MIN_COMMIT_TS, found.minCommitTs())
        .with(FactsColumn.MAX_COMMIT_TS, found.maxCommitTs())
        .with(FactsColumn.DELETES, found.deletes())
        .with(FactsColumn.INSERTS, found.inserts())
        .with(FactsColumn.UPDATES, found.updates());
  }

  /** The row of a gap; it rides in the batch's facts commit. */
  FactsRow skipped(Work work, SkippedChanges skip) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("from", skip.from().toString());
    detail.put("to", skip.to().toString());
    detail.put("certain", skip.doubt() == null);
    if (skip.cause() != null) {
      detail.put("cause", skip.cause().text());
    }
    if (skip.doubt() != null) {
      detail.put("reason", skip.doubt());
    }
    return event(work, FactsEvent.DATA_SKIPPED, skip.to(), skip.toTs(), detail)
        .with(FactsColumn.LOST_FROM_TS, skip.fromTs())
        .with(FactsColumn.LOST_TO_TS, skip.toTs());
  }

  /** The row of what happened to the source inside the batch; it rides in its facts commit. */
  FactsRow happened(Work work, SourceEvent event) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (event instanceof SourceEvent.ColumnGap gap) {
      detail.put("column", gap.column());
      detail.put("capture_instance", gap.to());
      detail.put("from_lsn", gap.from() == null ? null : gap.from().toString());
      detail.put("to_lsn", gap.lsn().toString());
      return event(work, FactsEvent.COLUMN_GAP, event.lsn(), event.commitTs(), detail)
          .with(FactsColumn.LOST_FROM_TS, gap.fromTs())
          .with(FactsColumn.LOST_TO_TS, event.commitTs());
    }
    if (event instanceof SourceEvent.InstanceSwitched switched) {
      detail.put("old", switched.from());
      detail.put("new", switched.to());
      detail.put("not_captured", switched.notCaptured());
      return event(
          work, FactsEvent.CAPTURE_INSTANCE_SWITCHED, event.lsn(), event.commitTs(), detail);
    }
    detail.put("statement", ((SourceEvent.SchemaChanged) event).statement());
    return event(work, FactsEvent.SCHEMA_CHANGE, event.lsn(), event.commitTs(), detail);
  }

  private FactsRow event(
      Work work,
      FactsEvent event,
      Lsn at,
      @Nullable LocalDateTime commitTs,
      Map<String, Object> detail) {
    String lsn = at.toString();
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, work.key().appId())
        .with(FactsColumn.BATCH_ID, work.key().batchId())
        .with(FactsColumn.ROWS, 0L)
        .with(FactsColumn.MIN_LSN, lsn)
        .with(FactsColumn.MAX_LSN, lsn)
        .with(FactsColumn.EVENT, event.text())
        .with(FactsColumn.END_LSN, lsn)
        .with(FactsColumn.END_COMMIT_TS, commitTs)
        .with(FactsColumn.DETAIL, FactsTable.detail(detail))
        .with(FactsColumn.TARGET, target)
        .with(FactsColumn.WRITTEN_AT, LocalDateTime.now(clock));
  }

  private static FactsRow read(FactsRow row, RangeMeasure total) {
    return row.with(FactsColumn.ROWS, total.rows())
        .with(FactsColumn.MIN_LSN, total.minLsn())
        .with(FactsColumn.MAX_LSN, total.maxLsn())
        .with(FactsColumn.MIN_COMMIT_TS, total.minCommitTs())
        .with(FactsColumn.MAX_COMMIT_TS, total.maxCommitTs())
        .with(FactsColumn.DELETES, total.deletes())
        .with(FactsColumn.INSERTS, total.inserts())
        .with(FactsColumn.UPDATES, total.updates())
        .with(FactsColumn.READ_SECONDS, total.seconds())
        .with(FactsColumn.READ_MB, Megabytes.of(total.bytes()))
        .with(FactsColumn.NETWORK_WAIT_MS, total.networkWaitMs());
  }

  private FactsRow base(Work work, BatchMeasure measure, List<String> warnings) {
    Offset end = work.range().end();
    LocalDateTime now = LocalDateTime.now(clock);
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, work.key().appId())
        .with(FactsColumn.BATCH_ID, work.key().batchId())
        .with(FactsColumn.STARTED_AT, work.startedAt())
        .with(FactsColumn.DURATION_MS, work.startedAt().until(now, ChronoUnit.MILLIS))
        .with(FactsColumn.SOURCE_RTT_MS, measure.roundTripMs())
        .with(FactsColumn.RETENTION_WATERMARK_TS, measure.retentionWatermark())
        .with(
            FactsColumn.RETENTION_HEADROOM_HOURS,
            headroom(measure.retentionWatermark(), end.commitTs()))
        .with(FactsColumn.SOURCE_MAX_COMMIT_TS, measure.sourceMaxCommitTs())
        .with(FactsColumn.CAPTURE_LAG_SECONDS, measure.captureLagSeconds())
        .with(
            FactsColumn.INGESTION_LAG_SECONDS, seconds(end.commitTs(), measure.sourceMaxCommitTs()))
        .with(FactsColumn.END_LSN, end.lsn().toString())
        .with(FactsColumn.END_COMMIT_TS, end.commitTs())
        .with(FactsColumn.END_AT, end.at())
        .with(FactsColumn.DETAIL, detail(warnings))
        .with(FactsColumn.TARGET, target)
        .with(FactsColumn.WRITTEN_AT, now);
  }

  private static @Nullable String detail(List<String> warnings) {
    return warnings.isEmpty() ? null : FactsTable.detail(Map.of("warnings", warnings));
  }

  private static @Nullable Double headroom(
      @Nullable LocalDateTime watermark, @Nullable LocalDateTime end) {
    return watermark == null || end == null
        ? null
        : (Double)
            (Math.round(watermark.until(end, ChronoUnit.MILLIS) / MILLIS_PER_HOUR * HUNDREDTHS)
                / HUNDREDTHS);
  }

  private static @Nullable Double seconds(
      @Nullable LocalDateTime from, @Nullable LocalDateTime to) {
    return from == null || to == null
        ? null
        : (Double) (from.until(to, ChronoUnit.MILLIS) / MILLIS_PER_SECOND);
  }
}

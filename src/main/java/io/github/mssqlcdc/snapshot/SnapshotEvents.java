package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.offset.Offset;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of the facts that tell of one target's snapshots. */
public final class SnapshotEvents {
  private static final long BOOTSTRAP_GENERATION = 0;

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

  /** Says that a whole snapshot is being taken; before the table is read. */
  public void open(Offset stamp, int history) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("mode", "full");
    detail.put("kind", "bootstrap");
    detail.put("generation", BOOTSTRAP_GENERATION);
    detail.put("open", facts.details(appId, FactsEvent.SNAPSHOT_OPEN).size());
    detail.put("history", history);
    detail.put("at", text(stamp.at()));
    LocalDateTime now = LocalDateTime.now(clock);
    facts.append(
        row(FactsEvent.SNAPSHOT_OPEN, stamp, detail)
            .with(FactsColumn.ROWS, 0L)
            .with(FactsColumn.STARTED_AT, now));
  }

  /** Whether {@link #bootstrapped} has written its row. */
  public boolean isBootstrapped() {
    return facts.hasCompletion(appId, BOOTSTRAP_GENERATION);
  }

  /**
   * Says that the first snapshot is complete; once, however often it is said.
   *
   * @param rows its rows; null if they can't be known any more
   * @param startedAt when taking it began, UTC; null if it was found in the target
   */
  public void bootstrapped(
      Offset stamp, int history, @Nullable Long rows, @Nullable LocalDateTime startedAt) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("history", history);
    detail.put("at", text(stamp.at()));
    LocalDateTime now = LocalDateTime.now(clock);
    facts.appendCompletion(
        appId,
        BOOTSTRAP_GENERATION,
        row(FactsEvent.BOOTSTRAP, stamp, detail)
            .with(FactsColumn.ROWS, rows)
            .with(FactsColumn.STARTED_AT, startedAt == null ? now : startedAt)
            .with(
                FactsColumn.DURATION_MS,
                startedAt == null ? null : (Object) startedAt.until(now, ChronoUnit.MILLIS)));
  }

  /** The latest commit time that the facts know of the target. */
  public Optional<LocalDateTime> lastEndCommitTs() {
    return facts.lastEndCommitTs(target);
  }

  /** The highest history that the facts know of the target. */
  public int highestHistory() {
    return facts.highestHistory(appId, target);
  }

  private FactsRow row(FactsEvent event, Offset stamp, Map<String, ?> detail) {
    String lsn = stamp.lsn().toString();
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, appId)
        .with(FactsColumn.MIN_LSN, lsn)
        .with(FactsColumn.MAX_LSN, lsn)
        .with(FactsColumn.MIN_COMMIT_TS, stamp.commitTs())
        .with(FactsColumn.MAX_COMMIT_TS, stamp.commitTs())
        .with(FactsColumn.EVENT, event.text())
        .with(FactsColumn.END_LSN, lsn)
        .with(FactsColumn.END_COMMIT_TS, stamp.commitTs())
        .with(FactsColumn.END_AT, stamp.at())
        .with(FactsColumn.DETAIL, FactsTable.detail(detail))
        .with(FactsColumn.TARGET, target)
        .with(FactsColumn.WRITTEN_AT, LocalDateTime.now(clock));
  }

  private static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : Offset.format(time);
  }
}

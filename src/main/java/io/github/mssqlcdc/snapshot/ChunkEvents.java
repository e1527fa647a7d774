package io.github.mssqlcdc.snapshot;

import io.github.mssqlcdc.facts.FactsColumn;
import io.github.mssqlcdc.facts.FactsEvent;
import io.github.mssqlcdc.facts.FactsRow;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.facts.Megabytes;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the facts that tell of one chunked snapshot's chunks; no key value is among them. Not
 * thread-safe.
 */
public final class ChunkEvents {
  private static final String SNAPSHOT = "snapshot";

  private final FactsTable facts;
  private final SnapshotId id;
  private final SnapshotOpen open;
  private final Clock clock;
  private final SnapshotEvents events;
  private final SnapshotRows rows;

  public ChunkEvents(FactsTable facts, String appId, SnapshotOpen open, Clock clock) {
    this.facts = facts;
    this.id = open.id(appId);
    this.open = open;
    this.clock = clock;
    this.events = new SnapshotEvents(facts, appId, open.target(), clock);
    this.rows = new SnapshotRows(appId, open.target(), clock);
  }

  /**
   * The retention headroom, in hours, that the stream has now if it hasn't read since its newest
   * batch; null: that has told none.
   */
  public @Nullable Double headroom() {
    return facts.newestHeadroom(sinkId(), LocalDateTime.now(clock)).orElse(null);
  }

  private String sinkId() {
    return open.purpose().sinkId(id.appId());
  }

  /**
   * Up to where the stream has read, as its newest batch has told; S before its first. Empty if
   * that batch's row is gone. A Spark job.
   */
  public Optional<Offset> streamPosition() {
    return facts.latestBatch(sinkId()).isEmpty()
        ? Optional.of(open.position())
        : facts.newestEnd(sinkId());
  }

  /**
   * Whether the snapshot is still the newest one, nobody has given it up, and the stream has gone
   * on over no gap. A Spark job.
   */
  public boolean isLive() {
    return events.state().chunked().filter(newest -> newest.number() == open.number()).isPresent();
  }

  /**
   * Says how many chunks are planned; once.
   *
   * @param kind how they were found; null: there is no key to cut on
   */
  public void planned(@Nullable String kind, long chunkRows, int chunks) {
    if (facts.newest(plan()).isPresent()) {
      return;
    }
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(SNAPSHOT, id.lsn().toString());
    detail.put("kind", kind);
    detail.put("keys", open.keys());
    detail.put("chunk_rows", chunkRows);
    detail.put(SnapshotRows.CHUNKS, chunks);
    facts.appendOnce(
        plan(),
        0,
        List.of(
            rows.event(FactsEvent.SNAPSHOT_PLAN, sinkId(), open.position(), detail)
                .with(FactsColumn.ROWS, 0L)
                .with(FactsColumn.STARTED_AT, LocalDateTime.now(clock))));
  }

  /** The last wave that was told; -1 before the first. */
  public long newestWave() {
    OptionalLong newest = facts.newest(waves());
    return newest.orElse(-1);
  }

  /** Tells of a wave's chunks; once. */
  public void read(ReadWave wave) {
    facts.appendOnce(
        waves(), wave.wave(), wave.chunks().stream().map(chunk -> row(wave, chunk)).toList());
  }

  private FactsRow row(ReadWave wave, ReadChunk chunk) {
    String stamp = wave.stamp().lsn().toString();
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(SNAPSHOT, id.lsn().toString());
    detail.put("chunk", chunk.planned().chunk());
    detail.put("wave", wave.wave());
    detail.put("last", chunk.planned().last());
    return FactsRow.EMPTY
        .with(FactsColumn.APP_ID, sinkId())
        .with(FactsColumn.ROWS, chunk.rows())
        .with(FactsColumn.MIN_LSN, stamp)
        .with(FactsColumn.MAX_LSN, chunk.highLsn() == null ? stamp : chunk.highLsn())
        .with(FactsColumn.MIN_COMMIT_TS, wave.stamp().commitTs())
        .with(FactsColumn.MAX_COMMIT_TS, wave.stamp().commitTs())
        .with(FactsColumn.STARTED_AT, wave.startedAt())
        .with(FactsColumn.DURATION_MS, wave.durationMs())
        .with(FactsColumn.READ_SECONDS, chunk.seconds())
        .with(FactsColumn.READ_MB, Megabytes.of(chunk.bytes()))
        .with(FactsColumn.EVENT, FactsEvent.SNAPSHOT_CHUNK.text())
        .with(FactsColumn.DETAIL, FactsTable.detail(detail))
        .with(FactsColumn.TARGET, open.target())
        .with(FactsColumn.WRITTEN_AT, LocalDateTime.now(clock));
  }

  /**
   * Says that all chunks are in bronze; once.
   *
   * @param last the last wave
   * @param targetId id of the Delta table that holds them; null if none was ever made
   */
  public void completed(Progress all, ReadWave last, @Nullable String targetId) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(SNAPSHOT, id.lsn().toString());
    detail.put(SnapshotRows.CHUNKS, all.chunks());
    detail.put("rows", all.rows());
    detail.put("last_lsn", last.stamp().lsn().toString());
    detail.put(SnapshotRows.OPEN, open.number());
    detail.put(SnapshotRows.HISTORY, open.history());
    detail.put(SnapshotRows.AT, SnapshotRows.text(open.position().at()));
    detail.put(SnapshotRows.TARGET_ID, targetId);
    events.complete(
        open.purpose(),
        open.number(),
        rows.completed(open.purpose(), open.position(), all.rows(), open.startedAt(), detail)
            .with(FactsColumn.READ_MB, Megabytes.of(all.bytes())));
  }

  private String plan() {
    return id.transaction("snapplan");
  }

  private String waves() {
    return id.transaction("snapchunks");
  }
}

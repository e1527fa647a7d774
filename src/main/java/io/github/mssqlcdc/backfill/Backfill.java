package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.metric.BackfillListener;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.ChunkEvents;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a backfill: finds the open snapshot, plans its chunks if nobody has, completes what a
 * call that died has left, and reads waves of chunks into bronze as long as it may.
 */
public final class Backfill {
  private static final Logger LOG = LoggerFactory.getLogger(Backfill.class);

  private final BackfillSource source;
  private final BackfillTables tables;
  private final BackfillLimits limits;
  private final BackfillListener listener;
  private final String appId;
  private final String attempt;
  private final BackfillProgress progress;

  /**
   * @param appId base id of the stream
   * @param attempt names this call, for messages of others
   */
  public Backfill(
      BackfillSource source,
      BackfillTables tables,
      BackfillLimits limits,
      BackfillListener listener,
      String appId,
      String attempt) {
    this.source = source;
    this.tables = tables;
    this.limits = limits;
    this.listener = listener;
    this.appId = appId;
    this.attempt = attempt;
    this.progress = new BackfillProgress(source.clock());
  }

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a full snapshot is
   *     open; INVALID_OPTION if the table would be cut on other columns now
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if another backfill of the
   *     snapshot runs
   * @throws io.github.mssqlcdc.error.SourceBehindException if the server is behind the snapshot
   */
  public BackfillStatus run() {
    FactsTable facts = tables.facts().get();
    SnapshotState state =
        new SnapshotEvents(facts, appId, tables.bronze().name(), source.clock()).state();
    new ModeLock(state, source.instance().startLsn()).requireNoFull("read chunks into");
    Optional<SnapshotOpen> found = state.chunked();
    if (found.isEmpty() || !found.get().target().equals(tables.bronze().name())) {
      return progress.none(NoSnapshot.reason(state, appId, tables.bronze().name()));
    }
    SnapshotOpen open = found.get();
    Optional<SnapshotEnd> end = state.end(open);
    return end.isPresent() ? progress.complete(open, end.get()) : read(facts, open);
  }

  private BackfillStatus read(FactsTable facts, SnapshotOpen open) {
    SnapshotId id = open.id(appId);
    PlansTable plans = tables.plans().get();
    ChunkEvents events = new ChunkEvents(facts, appId, open, source.clock());
    Extent extent = plans.extent(appId, open.number()).orElseThrow(() -> NoSnapshot.lostOpen(open));
    ChunkPlan plan = source.plan();
    plan.requireSameKeys(extent);
    int total = new PlanStep(id, plans, events, plan, limits.chunkRows()).run(extent);
    progress.planned(open, total);
    Progress done = new WaveRecovery(id, open, tables.bronze().waves(), plans, events).run();
    listener.progressed(progress.status(BackfillState.RUNNING, done, null));
    WaveReader reader =
        new WaveReader(source, tables.bronze(), id, open, limits.connections(), attempt);
    Stop stop;
    // a table isn't for two threads: what records has tables of its own
    try (WaveRecords records = records(id, open)) {
      Waving waving = new Waving(plans, extent, plan, id, reader, records);
      stop = waving.run(done, events);
      records.await();
    }
    if (!stop.done.isComplete()) {
      LOG.info("{}: {} of {} chunks done; {}", id, stop.done.chunks(), total, stop.reason);
      return progress.status(stop.state, stop.done, stop.reason);
    }
    events.completed(stop.done, plans.wave(id, stop.done.wave()), tables.bronze().id());
    LOG.info("{}: complete, {} rows in {} chunks", id, stop.done.rows(), stop.done.chunks());
    return progress.status(BackfillState.DONE, stop.done, null);
  }

  private WaveRecords records(SnapshotId id, SnapshotOpen open) {
    ChunkEvents events = new ChunkEvents(tables.facts().get(), appId, open, source.clock());
    return new WaveRecords(WaveRecords.into(id, tables.plans().get(), events));
  }

  /** Reads wave after wave. */
  private final class Waving {
    private final PlansTable plans;
    private final Extent extent;
    private final ChunkPlan plan;
    private final SnapshotId id;
    private final WaveReader reader;
    private final WaveRecords records;

    Waving(
        PlansTable plans,
        Extent extent,
        ChunkPlan plan,
        SnapshotId id,
        WaveReader reader,
        WaveRecords records) {
      this.plans = plans;
      this.extent = extent;
      this.plan = plan;
      this.id = id;
      this.reader = reader;
      this.records = records;
    }

    Stop run(Progress from, ChunkEvents events) {
      Progress done = from;
      for (int waves = 0; !done.isComplete(); waves++) {
        Stop stop = stop(done, waves, events);
        if (stop != null) {
          return stop;
        }
        ReadWave wave = reader.read(done.wave() + 1, chunks(done), records::await);
        records.submit(done, wave);
        done = done.plus(wave);
        tell(done, wave);
      }
      return new Stop(done, BackfillState.DONE, null);
    }

    private List<ChunkBounds> chunks(Progress done) {
      Duration limit = limits.maxDuration();
      int count =
          new WaveSize(limits.connections(), limits.targetWave())
              .chunks(
                  done.waveChunks(), done.waveMs(), limit == null ? null : progress.left(limit));
      List<ChunkBounds> chunks = new ArrayList<>(plans.planned(id, done.chunks(), count));
      if (chunks.isEmpty()) {
        throw NoSnapshot.lostPlan(id, done.chunks());
      }
      chunks.replaceAll(chunk -> plan.closed(extent, chunk));
      return chunks;
    }

    private void tell(Progress done, ReadWave wave) {
      BackfillStatus status = progress.status(BackfillState.RUNNING, done, null);
      LOG.info(
          "{}: wave {} at {}: {} rows in {} chunks, {} s; {} of {} chunks done, about {} left",
          id,
          wave.wave(),
          wave.stamp().lsn(),
          wave.rows(),
          wave.chunks().size(),
          wave.durationMs() == null ? "?" : wave.durationMs() / 1e3,
          status.chunksDone(),
          status.chunksTotal(),
          status.remaining());
      listener.progressed(status);
    }
  }

  /** Why no further wave is read; null if one may be. */
  private @Nullable Stop stop(Progress done, int waves, ChunkEvents events) {
    Integer maxWaves = limits.maxWaves();
    if (maxWaves != null && waves >= maxWaves) {
      return running(done, "This call's " + maxWaves + " waves are read; call it again");
    }
    Duration maxDuration = limits.maxDuration();
    if (maxDuration != null && progress.left(maxDuration).isZero()) {
      return running(done, "This call's time, " + maxDuration + ", is over; call it again");
    }
    Duration least = limits.minHeadroom();
    return least == null
        ? null
        : Headroom.verdict(least, events.headroom())
            .map(wait -> new Stop(done, wait.state(), wait.reason()))
            .orElse(null);
  }

  private static Stop running(Progress done, String reason) {
    return new Stop(done, BackfillState.RUNNING, reason);
  }

  private record Stop(Progress done, BackfillState state, @Nullable String reason) {}
}

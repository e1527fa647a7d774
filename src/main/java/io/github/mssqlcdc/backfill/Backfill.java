package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.metric.BackfillListener;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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
  private final Supplier<? extends BackfillStore> stores;
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
      Supplier<? extends BackfillStore> stores,
      BackfillLimits limits,
      BackfillListener listener,
      String appId,
      String attempt) {
    this.source = source;
    this.stores = stores;
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
   * @throws DataLossException if changes are lost that the stream hasn't read yet
   * @throws io.github.mssqlcdc.error.SourceBehindException if the server is behind the snapshot
   */
  public BackfillStatus run() {
    BackfillStore store = stores.get();
    SnapshotState state = store.state();
    new ModeLock(state).requireNoFull("read chunks into", source.instance().startLsn());
    Optional<SnapshotOpen> found = state.chunked();
    if (found.isEmpty() || !store.isCalled(found.get().target())) {
      return progress.none(NoSnapshot.reason(state, appId, store));
    }
    SnapshotOpen open = found.get();
    source.requireSameTable(open);
    Optional<SnapshotEnd> end = state.end(open);
    return end.isPresent() ? progress.complete(open, end.get()) : read(store.chunks(open), open);
  }

  private BackfillStatus read(ChunkStore store, SnapshotOpen open) {
    SnapshotId id = open.id(appId);
    Extent extent = store.extent().orElseThrow(() -> NoSnapshot.lostOpen(open));
    ChunkPlan plan = source.plan();
    plan.requireSameKeys(extent);
    if (limits.isStatusOnly() && !store.hasPlan()) {
      progress.found(open);
      return progress.status(
          BackfillState.RUNNING,
          Progress.NONE,
          "The chunks aren't planned yet; the first call that may read plans them");
    }
    progress.planned(open, new PlanStep(id, store, plan, limits.chunkRows()).run(extent));
    Progress done = new WaveRecovery(id, open, store).run();
    listener.progressed(progress.status(BackfillState.RUNNING, done, null));
    Stop stop;
    // a store isn't for two threads: what records has one of its own
    try (WaveRecords records = new WaveRecords(WaveRecords.into(id, stores.get().chunks(open)))) {
      WaveReader reader =
          new WaveReader(
              source, store, id, open, last(store, open, done), limits.connections(), attempt);
      stop = new Waving(store, open, extent, plan, id, reader, records).run(done);
      records.await();
    }
    return stop.done.isComplete() ? completed(store, open, id, stop.done) : stopped(id, stop);
  }

  private static Offset last(ChunkStore store, SnapshotOpen open, Progress done) {
    return done.chunks() == 0
        ? open.position()
        : store.note(done.wave()).map(note -> WaveNote.read(note).stamp()).orElse(open.position());
  }

  private BackfillStatus completed(
      ChunkStore store, SnapshotOpen open, SnapshotId id, Progress done) {
    requireFollowed(store, open);
    if (!store.isLive()) {
      return stopped(id, givenUp(done));
    }
    store.complete(done, store.wave(done.wave()));
    LOG.info("{}: complete, {} rows in {} chunks", id, done.rows(), done.chunks());
    return progress.status(BackfillState.DONE, done, null);
  }

  private BackfillStatus stopped(SnapshotId id, Stop stop) {
    LOG.info("{}: {} chunks done. {}", id, stop.done.chunks(), stop.reason);
    return progress.status(stop.state, stop.done, stop.reason);
  }

  /** Reads wave after wave. */
  private final class Waving {
    private final ChunkStore store;
    private final SnapshotOpen open;
    private final Extent extent;
    private final ChunkPlan plan;
    private final SnapshotId id;
    private final WaveReader reader;
    private final WaveRecords records;

    Waving(
        ChunkStore store,
        SnapshotOpen open,
        Extent extent,
        ChunkPlan plan,
        SnapshotId id,
        WaveReader reader,
        WaveRecords records) {
      this.store = store;
      this.open = open;
      this.extent = extent;
      this.plan = plan;
      this.id = id;
      this.reader = reader;
      this.records = records;
    }

    Stop run(Progress from) {
      Progress done = from;
      for (int waves = 0; !done.isComplete(); waves++) {
        Stop stop = stop(done, waves, store);
        if (stop != null) {
          return stop;
        }
        requireFollowed(store, open);
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
      List<ChunkBounds> chunks = new ArrayList<>(store.planned(done.chunks(), count));
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

  /**
   * A snapshot lives on the changes after it: what the stream can't read any more is in none of its
   * rows, nor beside them.
   */
  private void requireFollowed(ChunkStore store, SnapshotOpen open) {
    Optional<Offset> position = store.streamPosition();
    position
        .flatMap(source.lost())
        .ifPresent(
            lost -> {
              throw new DataLossException(
                  "Cannot read chunks of "
                      + open.description()
                      + " into '"
                      + open.target()
                      + "': its stream '"
                      + open.purpose().sinkId(appId)
                      + "' has read up to "
                      + position.get().lsn()
                      + ", and changes after that are lost ("
                      + lost
                      + "). The snapshot would never be whole; no further row was written. Start"
                      + " the stream: with onDataLoss(OnDataLoss.RESNAPSHOT) it goes on with a new"
                      + " snapshot; with option failOnDataLoss=false it skips what is lost and the"
                      + " start after that opens a new one");
            });
  }

  /** Why no further wave is read; null if one may be. */
  private @Nullable Stop stop(Progress done, int waves, ChunkStore store) {
    if (!store.isLive()) {
      return givenUp(done);
    }
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
        : Headroom.verdict(least, store.headroom())
            .map(wait -> new Stop(done, wait.state(), wait.reason()))
            .orElse(null);
  }

  private static Stop givenUp(Progress done) {
    return new Stop(
        done,
        BackfillState.NO_SNAPSHOT,
        "The snapshot was given up, or another one opened, or the stream has skipped changes after"
            + " it (data_skipped). Start the stream with bootstrap and SnapshotMode.CHUNKED: it opens"
            + " another");
  }

  private static Stop running(Progress done, String reason) {
    return new Stop(done, BackfillState.RUNNING, reason);
  }

  private record Stop(Progress done, BackfillState state, @Nullable String reason) {}
}

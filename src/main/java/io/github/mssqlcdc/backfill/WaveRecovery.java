package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes what a call that died has left: waves that the facts don't tell of yet, and one that is
 * in bronze and recorded nowhere. What was committed decides, not what a rerun would have read.
 */
final class WaveRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(WaveRecovery.class);

  private final SnapshotId id;
  private final SnapshotOpen open;
  private final ChunkStore store;
  private final WaveCounts counts;

  WaveRecovery(SnapshotId id, SnapshotOpen open, ChunkStore store) {
    this.id = id;
    this.open = open;
    this.store = store;
    this.counts = new WaveCounts(store);
  }

  /** What is done, all of it recorded. */
  Progress run() {
    Progress recorded = store.progress();
    for (long told = store.newestTold() + 1; told <= recorded.wave(); told++) {
      LOG.info("{}: wave {} is told to the facts now, a call died before", id, told);
      store.tell(store.wave((int) told));
    }
    OptionalLong committed = store.newestCommitted();
    if (committed.isEmpty() && recorded.rows() > 0) {
      throw targetLost(recorded);
    }
    if (recorded.rows() > 0 && !store.holds(recorded.wave())) {
      throw rowsLost(recorded);
    }
    if (committed.isEmpty() || committed.getAsLong() <= recorded.wave()) {
      return recorded;
    }
    if (committed.getAsLong() > recorded.wave() + 1) {
      throw lost(recorded, committed.getAsLong());
    }
    ReadWave wave = committed(recorded);
    LOG.info("{}: wave {} is recorded from its commit, a call died before", id, wave.wave());
    WaveRecords.into(id, store).accept(recorded, wave);
    return store.progress();
  }

  private ReadWave committed(Progress recorded) {
    int wave = recorded.wave() + 1;
    return store
        .note(wave)
        .map(WaveNote::read)
        .map(counts::of)
        .orElseGet(() -> ofRows(wave, recorded.chunks()));
  }

  /** The log has dropped the commit: the chunks up to the last one that has rows. */
  private ReadWave ofRows(int wave, int first) {
    List<HeldChunk> rows = store.heldFrom(first);
    if (rows.stream().map(chunk -> chunk.stamp().lsn()).distinct().count() > 1) {
      throw mixed(wave);
    }
    Map<Integer, HeldChunk> held = WaveCounts.byNumber(rows);
    int last = held.keySet().stream().mapToInt(Integer::intValue).max().orElse(first);
    Offset stamp = held.values().stream().map(HeldChunk::stamp).findFirst().orElse(open.position());
    List<ReadChunk> chunks =
        store.planned(first, last - first + 1).stream()
            .map(chunk -> WaveCounts.counted(chunk, held))
            .toList();
    return new ReadWave(wave, stamp, open.history(), null, null, null, chunks);
  }

  private CdcException targetLost(Progress recorded) {
    return cannotGoOn(
        recorded.rows()
            + " rows of its chunks were written, but the target has no commit of them: it was"
            + " dropped or made anew. Give the snapshot up with abandonSnapshot, and open another"
            + " with a new appId and checkpoint");
  }

  private CdcException mixed(int wave) {
    return cannotGoOn(
        "its wave "
            + wave
            + " is in the target, but the log has dropped its commit, and rows of another snapshot"
            + " at the same LSN stand beside its own: which chunks it has can't be told. Give the"
            + " snapshot up with abandonSnapshot, and open another");
  }

  private CdcException rowsLost(Progress recorded) {
    return cannotGoOn(
        "its wave "
            + recorded.wave()
            + " is done, but the target has no row of it any more: it was restored to an older"
            + " version, or rows were deleted. Give the snapshot up with abandonSnapshot, and start"
            + " the stream again, which opens another");
  }

  private CdcException lost(Progress recorded, long committed) {
    return cannotGoOn(
        "the target holds waves up to "
            + committed
            + ", but the plans table knows them up to "
            + recorded.wave()
            + ". Its entries were deleted, or it was restored to an older version. Give the"
            + " snapshot up with abandonSnapshot, and open another");
  }

  private CdcException cannotGoOn(String why) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot go on with " + id + " of '" + open.target() + "': " + why);
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.Waves;
import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.ChunkEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
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
  private final Waves bronze;
  private final PlansTable plans;
  private final ChunkEvents events;

  WaveRecovery(
      SnapshotId id, SnapshotOpen open, Waves bronze, PlansTable plans, ChunkEvents events) {
    this.id = id;
    this.open = open;
    this.bronze = bronze;
    this.plans = plans;
    this.events = events;
  }

  /** What is done, all of it recorded. */
  Progress run() {
    Progress recorded = plans.progress(id);
    for (long told = events.newestWave() + 1; told <= recorded.wave(); told++) {
      LOG.info("{}: wave {} is told to the facts now, a call died before", id, told);
      events.read(plans.wave(id, (int) told));
    }
    OptionalLong committed = bronze.newest(id);
    if (committed.isEmpty() || committed.getAsLong() <= recorded.wave()) {
      return recorded;
    }
    if (committed.getAsLong() > recorded.wave() + 1) {
      throw lost(recorded, committed.getAsLong());
    }
    ReadWave wave = committed(recorded);
    LOG.info("{}: wave {} is recorded from its commit, a call died before", id, wave.wave());
    WaveRecords.into(id, plans, events).accept(recorded, wave);
    return plans.progress(id);
  }

  private ReadWave committed(Progress recorded) {
    int wave = recorded.wave() + 1;
    return bronze
        .note(id, wave)
        .map(WaveNote::read)
        .map(this::counted)
        .orElseGet(() -> ofRows(wave, recorded.chunks()));
  }

  /** A note that was written before the read has no measures; the rows tell how many they are. */
  private ReadWave counted(ReadWave wave) {
    if (wave.chunks().stream().anyMatch(chunk -> chunk.bytes() != null)) {
      return wave;
    }
    Map<Integer, HeldChunk> held = held(wave.chunks().get(0).planned().chunk());
    return with(
        wave,
        wave.chunks().stream()
            .map(
                chunk -> {
                  HeldChunk rows = held.get(chunk.planned().chunk());
                  return read(chunk.planned(), rows == null ? 0 : rows.rows());
                })
            .toList());
  }

  private static ReadWave with(ReadWave wave, List<ReadChunk> chunks) {
    return new ReadWave(
        wave.wave(),
        wave.stamp(),
        wave.history(),
        wave.attempt(),
        wave.startedAt(),
        wave.durationMs(),
        chunks);
  }

  /** The log has dropped the commit: the chunks up to the last one that has rows. */
  private ReadWave ofRows(int wave, int first) {
    Map<Integer, HeldChunk> held = held(first);
    int last = held.keySet().stream().mapToInt(Integer::intValue).max().orElse(first);
    Offset stamp = held.values().stream().map(HeldChunk::stamp).findFirst().orElse(open.position());
    List<ReadChunk> chunks =
        plans.planned(id, first, last - first + 1).stream()
            .map(
                chunk -> {
                  HeldChunk rows = held.get(chunk.chunk());
                  return read(chunk, rows == null ? 0 : rows.rows());
                })
            .toList();
    return new ReadWave(wave, stamp, open.history(), null, null, null, chunks);
  }

  private Map<Integer, HeldChunk> held(int first) {
    return bronze.chunksFrom(id, open.history(), first).stream()
        .collect(Collectors.toMap(HeldChunk::chunk, Function.identity()));
  }

  private static ReadChunk read(ChunkBounds chunk, long rows) {
    return new ReadChunk(chunk, rows, null, null, null);
  }

  private CdcException lost(Progress recorded, long committed) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot go on with "
            + id
            + " of '"
            + open.target()
            + "': the target holds waves up to "
            + committed
            + ", but the plans table knows them up to "
            + recorded.wave()
            + ". Its entries were deleted, or it was restored to an older version. Give the"
            + " snapshot up with abandonSnapshot, and open another");
  }
}

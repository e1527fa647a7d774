package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable.Appended;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.error.SourceBehindException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.metric.ChunkLedger;
import io.github.mssqlcdc.metric.ChunkMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Brings waves into bronze: stamped, then read, then committed at once. Used by one thread. */
final class WaveReader {
  private final BackfillSource source;
  private final ChunkStore store;
  private final SnapshotId id;
  private final SnapshotOpen open;
  private final int connections;
  private final String attempt;

  /** The highest position read so far whose time is known. */
  private Offset last;

  /**
   * @param last stamp of the last wave; S before the first
   * @param attempt names this call
   */
  WaveReader(
      BackfillSource source,
      ChunkStore store,
      SnapshotId id,
      SnapshotOpen open,
      Offset last,
      int connections,
      String attempt) {
    this.source = source;
    this.store = store;
    this.id = id;
    this.open = open;
    this.last = last.at() == null ? open.position() : last;
    this.connections = connections;
    this.attempt = attempt;
  }

  /**
   * @param beforeCommit called when the rows are written; what it throws gives them up
   * @throws SourceBehindException if the server is behind S
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if another backfill has
   *     committed this wave
   */
  ReadWave read(int wave, List<ChunkBounds> chunks, Runnable beforeCommit) {
    LocalDateTime startedAt = LocalDateTime.now(source.clock());
    SnapshotStamp taken = source.server().snapshotStamp(source.instance());
    Offset stamp = stamp(taken);
    source.history().accept(last);
    if (stamp.at() != null) {
      last = stamp;
    }
    String ledgerId = UUID.randomUUID().toString();
    ChunkLedger ledger = JvmRegistry.shared(ChunkLedger.class, ledgerId, ChunkLedger::new);
    Draft draft = new Draft(wave, stamp, startedAt, chunks, ledger);
    try {
      Dataset<Row> rows = source.rows().read(stamp, taken.maxLsn(), chunks, connections, ledgerId);
      Appended appended =
          store.append(
              rows,
              new WaveRows(
                  id,
                  wave,
                  open.history(),
                  () -> note(finished(draft, null)),
                  () -> {
                    beforeCommit.run();
                    requireUnrecorded(wave);
                    return draft.mayHaveRows();
                  }));
      if (appended == Appended.BEFORE
          || appended == Appended.NOTHING && store.newestCommitted().orElse(-1) >= wave) {
        requireOwn(wave);
      }
    } finally {
      JvmRegistry.remove(ChunkLedger.class, ledgerId);
    }
    long took = startedAt.until(LocalDateTime.now(source.clock()), ChronoUnit.MILLIS);
    return new WaveCounts(store).of(finished(draft, took));
  }

  private String note(ReadWave read) {
    LocalDateTime highAt =
        read.chunks().stream()
            .flatMap(chunk -> Stream.ofNullable(chunk.highLsn()))
            .map(Lsn::parse)
            .max(Comparator.naturalOrder())
            .map(high -> SnapshotTimes.at(source.server(), high))
            .orElse(null);
    return WaveNote.write(id, source.instance().name(), read, highAt);
  }

  /** S or later, and its time not before that of S. */
  private Offset stamp(SnapshotStamp taken) {
    Offset s = open.position();
    if (taken.lsn().isBefore(s.lsn())) {
      throw new SourceBehindException(
          "Cannot read chunks of "
              + source.instance().description()
              + ": the server's max LSN is "
              + taken.lsn()
              + ", below "
              + s.lsn()
              + ", which the snapshot stands for. A lagging replica answers so; retry when it has"
              + " caught up");
    }
    MapEntry entry = taken.entry();
    if (entry == null) {
      return taken.lsn().equals(s.lsn()) ? s : Offset.of(taken.lsn());
    }
    LocalDateTime own = source.server().commitTs(entry);
    LocalDateTime least = s.commitTs();
    return new Offset(taken.lsn(), least != null && own.isBefore(least) ? least : own, entry.at());
  }

  /** The commit found may be this call's own, where its success wasn't told. */
  private void requireOwn(int wave) {
    String found = store.note(wave).map(WaveNote::attempt).orElse(null);
    if (!attempt.equals(found)) {
      throw WaveRecords.conflict(id, wave, found);
    }
  }

  /** A wave without rows has no commit: only the plans table tells that another has read it. */
  private void requireUnrecorded(int wave) {
    if (store.newestKept() >= wave) {
      throw WaveRecords.conflict(id, wave, store.progress().attempt());
    }
  }

  private ReadWave finished(Draft draft, @Nullable Long tookMs) {
    Map<Integer, ChunkMeasure> measures = draft.ledger.measures();
    return new ReadWave(
        draft.wave,
        draft.stamp,
        open.history(),
        attempt,
        draft.startedAt,
        tookMs,
        draft.chunks.stream().map(chunk -> read(chunk, measures.get(chunk.chunk()))).toList());
  }

  private static ReadChunk read(ChunkBounds chunk, @Nullable ChunkMeasure measure) {
    return measure == null
        ? new ReadChunk(chunk, 0, null, null, null)
        : new ReadChunk(
            chunk, measure.rows(), measure.bytes(), measure.seconds(), measure.highLsn());
  }

  private record Draft(
      int wave,
      Offset stamp,
      LocalDateTime startedAt,
      List<ChunkBounds> chunks,
      ChunkLedger ledger) {

    /** Only if every chunk says that it has none, there are none. */
    boolean mayHaveRows() {
      Map<Integer, ChunkMeasure> measures = ledger.measures();
      return measures.size() < chunks.size()
          || measures.values().stream().anyMatch(measure -> measure.rows() > 0);
    }
  }
}

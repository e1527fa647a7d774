package io.github.mssqlcdc.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.bronze.BronzeTable.Appended;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable.Planned;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a backfill in memory. Each write may be the last one of a process: before it, or
 * after it and before the process learns of it. Thread-safe.
 */
final class SimulatedLake {
  /** What a process does to the lake, and how long it lives. */
  interface Life {
    /** Throws once the process is dead. */
    void step();
  }

  /**
   * A row of a chunk.
   *
   * @param stamp of its wave
   */
  record ChunkRow(int chunk, Lsn stamp, int id, String name) {}

  private record Commit(String note, List<ChunkRow> rows) {}

  final SnapshotOpen open;
  final Extent extent;
  private final TreeMap<Integer, Commit> commits = new TreeMap<>();
  private final TreeMap<Integer, ReadWave> kept = new TreeMap<>();
  private final Map<Integer, Progress> progress = new TreeMap<>();
  final TreeMap<Integer, ReadWave> told = new TreeMap<>();
  private @Nullable List<ChunkBounds> plan;
  private long chunkRows;
  int toldPlans;
  @Nullable Progress completed;

  boolean isGivenUp;

  /** What the log still has of commits. */
  boolean hasLog = true;

  /** Whether commits say what was known before the read only. */
  boolean isPublicWriter;

  SimulatedLake(SnapshotOpen open, Extent extent) {
    this.open = open;
    this.extent = extent;
  }

  /** Rows that are committed. */
  synchronized List<ChunkRow> rows() {
    return commits.values().stream().flatMap(commit -> commit.rows().stream()).toList();
  }

  synchronized List<ChunkBounds> allPlanned() {
    return plan == null ? List.of() : plan;
  }

  synchronized void dropTarget() {
    commits.clear();
  }

  synchronized List<ReadWave> kept() {
    return List.copyOf(kept.values());
  }

  /**
   * The lake as a process sees it.
   *
   * @param rows of the wave that is appended, read when asked
   */
  BackfillStore store(Life life, Supplier<List<ChunkRow>> rows) {
    return new Store(life, rows);
  }

  private final class Store implements BackfillStore, ChunkStore {
    private final Life life;
    private final Supplier<List<ChunkRow>> rows;

    Store(Life life, Supplier<List<ChunkRow>> rows) {
      this.life = life;
      this.rows = rows;
    }

    private <T> T write(Supplier<T> change) {
      life.step();
      T done;
      synchronized (SimulatedLake.this) {
        done = change.get();
      }
      life.step();
      return done;
    }

    private <T> T look(Supplier<T> at) {
      synchronized (SimulatedLake.this) {
        return at.get();
      }
    }

    @Override
    public String target() {
      return open.target();
    }

    @Override
    public boolean isCalled(String spelling) {
      return spelling.equals(target());
    }

    /** Nobody takes rows away here. */
    @Override
    public boolean holds(int wave) {
      return true;
    }

    @Override
    public SnapshotState state() {
      return look(
          () ->
              new SnapshotState(
                  List.of(open),
                  completed == null
                      ? List.of()
                      : List.of(
                          new SnapshotEnd(
                              open.number(),
                              SnapshotEnd.How.COMPLETE,
                              completed.rows(),
                              completed.bytes(),
                              completed.chunks(),
                              null))));
    }

    @Override
    public ChunkStore chunks(SnapshotOpen of) {
      return this;
    }

    @Override
    public boolean isLive() {
      return look(() -> !isGivenUp);
    }

    @Override
    public Optional<Offset> streamPosition() {
      return Optional.of(open.position());
    }

    @Override
    public Optional<Extent> extent() {
      return Optional.of(extent);
    }

    @Override
    public boolean hasPlan() {
      return look(() -> plan != null);
    }

    @Override
    public boolean keepPlan(Extent of, long rowsOfAChunk, List<ChunkBounds> chunks) {
      return write(
          () -> {
            if (plan != null) {
              return false;
            }
            plan = List.copyOf(chunks);
            chunkRows = rowsOfAChunk;
            return true;
          });
    }

    @Override
    public Planned plan() {
      return look(() -> new Planned(allPlanned().size(), chunkRows));
    }

    @Override
    public List<ChunkBounds> planned(int from, int count) {
      return look(
          () ->
              List.copyOf(
                  allPlanned()
                      .subList(from, (int) Math.min(allPlanned().size(), (long) from + count))));
    }

    @Override
    public void tellPlan(@Nullable String kind, Planned of) {
      write(() -> toldPlans = 1);
    }

    @Override
    public OptionalLong newestCommitted() {
      return look(
          () -> commits.isEmpty() ? OptionalLong.empty() : OptionalLong.of(commits.lastKey()));
    }

    @Override
    public Optional<JsonNode> note(int wave) {
      return look(
          () ->
              hasLog
                  ? Optional.ofNullable(commits.get(wave))
                      .flatMap(commit -> StoredJson.parse(commit.note()))
                  : Optional.empty());
    }

    @Override
    public List<HeldChunk> heldFrom(int first) {
      return look(
          () -> {
            TreeMap<Integer, List<ChunkRow>> chunks = new TreeMap<>();
            rows().stream()
                .filter(row -> row.chunk() >= first)
                .forEach(
                    row -> chunks.computeIfAbsent(row.chunk(), c -> new ArrayList<>()).add(row));
            return chunks.entrySet().stream()
                .map(
                    chunk ->
                        new HeldChunk(
                            chunk.getKey(),
                            chunk.getValue().size(),
                            Offset.of(chunk.getValue().get(0).stamp())))
                .toList();
          });
    }

    @Override
    public Appended append(Dataset<Row> unused, WaveRows wave) {
      life.step();
      if (newestCommitted().orElse(-1) >= wave.wave()) {
        return Appended.BEFORE;
      }
      String before = wave.note().get();
      List<ChunkRow> read = rows.get();
      if (!wave.hasRows().getAsBoolean()) {
        return Appended.NOTHING;
      }
      return write(
          () -> {
            if (newestCommitted().orElse(-1) >= wave.wave()) {
              return Appended.BEFORE;
            }
            String note = isPublicWriter ? before : wave.note().get();
            commits.put(wave.wave(), new Commit(String.valueOf(note), read));
            return Appended.NOW;
          });
    }

    @Override
    public Progress progress() {
      return look(
          () ->
              kept.isEmpty()
                  ? Progress.NONE
                  : progress.getOrDefault(kept.lastKey(), Progress.NONE));
    }

    @Override
    public long newestKept() {
      return look(() -> kept.isEmpty() ? -1 : kept.lastKey());
    }

    @Override
    public ReadWave wave(int wave) {
      return look(() -> kept.get(wave));
    }

    @Override
    public boolean keep(Progress before, ReadWave wave) {
      return write(
          () -> {
            if (!kept.isEmpty() && kept.lastKey() >= wave.wave()) {
              return false;
            }
            kept.put(wave.wave(), wave);
            progress.put(wave.wave(), before.plus(wave));
            return true;
          });
    }

    @Override
    public long newestTold() {
      return look(() -> told.isEmpty() ? -1 : told.lastKey());
    }

    @Override
    public void tell(ReadWave wave) {
      write(() -> newestTold() >= wave.wave() ? wave : told.put(wave.wave(), wave));
    }

    @Override
    public @Nullable Double headroom() {
      return null;
    }

    @Override
    public void complete(Progress all, ReadWave last) {
      write(() -> completed = completed == null ? all : completed);
    }
  }
}

package io.github.mssqlcdc.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.BronzeTable.Appended;
import io.github.mssqlcdc.bronze.WaveRows;
import io.github.mssqlcdc.bronze.Waves.HeldChunk;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.plans.PlansTable.Planned;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import io.github.mssqlcdc.snapshot.ChunkEvents;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Chunked snapshots in Delta tables.
 *
 * @param plans opens the plans table, and makes it if there is none
 * @param appId base id of the stream
 * @param clock in UTC
 */
public record DeltaStore(
    BronzeTable bronze, FactsTable facts, Supplier<PlansTable> plans, String appId, Clock clock)
    implements BackfillStore {

  @Override
  public String target() {
    return bronze.name();
  }

  @Override
  public boolean isCalled(String spelling) {
    return bronze.isCalled(spelling);
  }

  @Override
  public SnapshotState state() {
    return new SnapshotEvents(facts, appId, target(), clock).state();
  }

  @Override
  public ChunkStore chunks(SnapshotOpen open) {
    return new Chunks(
        bronze, plans.get(), new ChunkEvents(facts, appId, open, clock), open.id(appId), open);
  }

  private record Chunks(
      BronzeTable bronze, PlansTable plans, ChunkEvents events, SnapshotId id, SnapshotOpen open)
      implements ChunkStore {

    @Override
    public boolean isLive() {
      return events.isLive();
    }

    @Override
    public Optional<Offset> streamPosition() {
      return events.streamPosition();
    }

    @Override
    public Optional<Extent> extent() {
      return plans.extent(id.appId(), id.open());
    }

    @Override
    public boolean hasPlan() {
      return plans.hasPlan(id);
    }

    @Override
    public boolean keepPlan(Extent extent, long chunkRows, List<ChunkBounds> chunks) {
      return plans.append(id, extent, chunkRows, chunks);
    }

    @Override
    public Planned plan() {
      return plans.plan(id);
    }

    @Override
    public List<ChunkBounds> planned(int from, int count) {
      return plans.planned(id, from, count);
    }

    @Override
    public void tellPlan(@Nullable String kind, Planned plan) {
      events.planned(kind, plan.chunkRows(), plan.chunks());
    }

    @Override
    public OptionalLong newestCommitted() {
      return bronze.waves().newest(id);
    }

    @Override
    public Optional<JsonNode> note(int wave) {
      return bronze.waves().note(id, wave);
    }

    @Override
    public List<HeldChunk> heldFrom(int first) {
      return bronze.waves().chunksFrom(id, open.history(), first);
    }

    @Override
    public boolean holds(int wave) {
      if (bronze.waves().isIntactSince(id, wave)) {
        return true;
      }
      Set<Integer> chunks =
          wave(wave).chunks().stream()
              .filter(chunk -> chunk.rows() > 0)
              .map(chunk -> chunk.planned().chunk())
              .collect(Collectors.toSet());
      return chunks.isEmpty()
          || heldFrom(Collections.min(chunks)).stream()
              .anyMatch(held -> chunks.contains(held.chunk()));
    }

    @Override
    public Appended append(Dataset<Row> rows, WaveRows wave) {
      return bronze.append(rows, wave);
    }

    @Override
    public Progress progress() {
      return plans.progress(id);
    }

    @Override
    public long newestKept() {
      return plans.newestWave(id).orElse(-1);
    }

    @Override
    public ReadWave wave(int wave) {
      return plans.wave(id, wave);
    }

    @Override
    public boolean keep(Progress before, ReadWave wave) {
      return plans.append(id, before, wave);
    }

    @Override
    public long newestTold() {
      return events.newestWave();
    }

    @Override
    public void tell(ReadWave wave) {
      events.read(wave);
    }

    @Override
    public @Nullable Double headroom() {
      return events.headroom();
    }

    @Override
    public void complete(Progress all, ReadWave last) {
      events.completed(all, last, bronze.id());
    }
  }
}

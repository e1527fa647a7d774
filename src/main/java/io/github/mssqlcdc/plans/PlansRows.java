package io.github.mssqlcdc.plans;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** Entries of one snapshot as rows of the plans table, and back. */
record PlansRows(SnapshotId id, Clock clock) {
  static final String OPEN = "open";
  static final String PLAN = "plan";
  static final String CHUNK = "chunk";
  static final String WAVE = "wave";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<List<String>> NAMES = new TypeReference<>() {};

  Row open(Extent extent) {
    Map<PlansColumn, @Nullable Object> values = of(OPEN);
    values.put(PlansColumn.KIND, extent.kind());
    values.put(PlansColumn.KEYS, json(extent.keys()));
    values.put(PlansColumn.LO, extent.min());
    values.put(PlansColumn.HI, extent.max());
    values.put(PlansColumn.ROWS, extent.rows());
    values.put(PlansColumn.POSITION, extent.position().json());
    values.put(PlansColumn.HISTORY, extent.history());
    return row(values);
  }

  static Extent extent(Row row) {
    return new Extent(
        PlansColumn.OPEN.of(row),
        Offset.parse(PlansColumn.POSITION.of(row)),
        PlansColumn.HISTORY.of(row),
        PlansColumn.KIND.of(row),
        names(PlansColumn.KEYS.of(row)),
        PlansColumn.LO.of(row),
        PlansColumn.HI.of(row),
        PlansColumn.ROWS.of(row));
  }

  Row plan(Extent extent, long chunkRows, ChunkBounds chunk) {
    Map<PlansColumn, @Nullable Object> values = of(PLAN);
    values.put(PlansColumn.KIND, extent.kind());
    values.put(PlansColumn.KEYS, json(extent.keys()));
    put(values, chunk);
    values.put(PlansColumn.ROWS, chunk.rows());
    values.put(PlansColumn.CHUNK_ROWS, chunkRows);
    return row(values);
  }

  static ChunkBounds planned(Row row) {
    return new ChunkBounds(
        PlansColumn.CHUNK.of(row),
        bound(PlansColumn.LO.of(row)),
        bound(PlansColumn.HI.of(row)),
        PlansColumn.ROWS.of(row),
        PlansColumn.LAST.of(row));
  }

  Row chunk(ReadWave wave, ReadChunk chunk) {
    Map<PlansColumn, @Nullable Object> values = of(CHUNK);
    put(values, wave);
    put(values, chunk.planned());
    values.put(PlansColumn.ROWS, chunk.rows());
    values.put(PlansColumn.BYTES, chunk.bytes());
    values.put(PlansColumn.HIGH_LSN, chunk.highLsn());
    values.put(PlansColumn.READ_SECONDS, chunk.seconds());
    return row(values);
  }

  /**
   * @param through what is done with this wave
   */
  Row wave(ReadWave wave, Progress through) {
    Map<PlansColumn, @Nullable Object> values = of(WAVE);
    put(values, wave);
    values.put(PlansColumn.CHUNK, wave.lastChunk().chunk());
    values.put(PlansColumn.LAST, wave.lastChunk().last());
    values.put(PlansColumn.CHUNKS, wave.chunks().size());
    values.put(PlansColumn.ROWS, through.rows());
    values.put(PlansColumn.BYTES, through.bytes());
    values.put(PlansColumn.STARTED_AT, wave.startedAt());
    values.put(PlansColumn.DURATION_MS, wave.durationMs());
    return row(values);
  }

  static Progress progress(Row row) {
    return new Progress(
        PlansColumn.WAVE.of(row),
        PlansColumn.CHUNK.<Integer>of(row) + 1,
        PlansColumn.ROWS.<Long>of(row),
        PlansColumn.BYTES.<Long>of(row),
        PlansColumn.CHUNKS.<Integer>of(row),
        PlansColumn.DURATION_MS.of(row),
        PlansColumn.ATTEMPT.of(row),
        PlansColumn.LAST.<Boolean>of(row));
  }

  static ReadWave wave(Row row, List<Row> chunks) {
    return new ReadWave(
        PlansColumn.WAVE.of(row),
        Offset.parse(PlansColumn.POSITION.of(row)),
        PlansColumn.HISTORY.of(row),
        PlansColumn.ATTEMPT.of(row),
        PlansColumn.STARTED_AT.of(row),
        PlansColumn.DURATION_MS.of(row),
        chunks.stream().map(PlansRows::read).toList());
  }

  static ReadChunk read(Row row) {
    ChunkBounds planned = planned(row);
    return new ReadChunk(
        new ChunkBounds(planned.chunk(), planned.lo(), planned.hi(), null, planned.last()),
        PlansColumn.ROWS.<Long>of(row),
        PlansColumn.BYTES.of(row),
        PlansColumn.READ_SECONDS.of(row),
        PlansColumn.HIGH_LSN.of(row));
  }

  static String entry(Row row) {
    return PlansColumn.ENTRY.of(row);
  }

  private Map<PlansColumn, @Nullable Object> of(String entry) {
    Map<PlansColumn, @Nullable Object> values = new EnumMap<>(PlansColumn.class);
    values.put(PlansColumn.APP_ID, id.appId());
    values.put(PlansColumn.SNAPSHOT, id.lsn().toString());
    values.put(PlansColumn.OPEN, id.open());
    values.put(PlansColumn.ENTRY, entry);
    values.put(PlansColumn.WRITTEN_AT, LocalDateTime.now(clock));
    return values;
  }

  private static void put(Map<PlansColumn, @Nullable Object> values, ChunkBounds chunk) {
    values.put(PlansColumn.CHUNK, chunk.chunk());
    values.put(PlansColumn.LO, chunk.lo().equals(ChunkBounds.OPEN) ? null : chunk.lo());
    values.put(PlansColumn.HI, chunk.hi().equals(ChunkBounds.OPEN) ? null : chunk.hi());
    values.put(PlansColumn.LAST, chunk.last());
  }

  private static void put(Map<PlansColumn, @Nullable Object> values, ReadWave wave) {
    values.put(PlansColumn.WAVE, wave.wave());
    values.put(PlansColumn.POSITION, wave.stamp().json());
    values.put(PlansColumn.HISTORY, wave.history());
    values.put(PlansColumn.ATTEMPT, wave.attempt());
  }

  private static String bound(@Nullable String stored) {
    return stored == null ? ChunkBounds.OPEN : stored;
  }

  private static Row row(Map<PlansColumn, @Nullable Object> values) {
    return RowFactory.create(Stream.of(PlansColumn.values()).map(values::get).toArray());
  }

  private static String json(List<String> names) {
    try {
      return JSON.writeValueAsString(names);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot write as JSON: " + names, e);
    }
  }

  private static List<String> names(String json) {
    try {
      return JSON.readValue(json, NAMES);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not a JSON list of names: " + json, e);
    }
  }
}

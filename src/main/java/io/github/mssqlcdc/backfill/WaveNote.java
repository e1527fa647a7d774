package io.github.mssqlcdc.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.facts.Megabytes;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.ReadChunk;
import io.github.mssqlcdc.plans.ReadWave;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the commit of a wave says of itself: all that has to be recorded of it. */
final class WaveNote {
  private WaveNote() {}

  /**
   * @param highAt the LSN map's time of the highest LSN that the reads may have seen; null if not
   *     known
   */
  static String write(
      SnapshotId id, String captureInstance, ReadWave wave, @Nullable LocalDateTime highAt) {
    Map<String, Object> note = new LinkedHashMap<>();
    note.put("backfill", id.lsn().toString());
    note.put("open", id.open());
    note.put("capture_instance", captureInstance);
    note.put("wave", wave.wave());
    note.put("lsn", wave.stamp().lsn().toString());
    note.put("commit_ts", text(wave.stamp().commitTs()));
    note.put("attempt", wave.attempt());
    note.put("started_at", text(wave.startedAt()));
    note.put("chunks", wave.chunks().stream().map(WaveNote::chunk).toList());
    note.put("history", wave.history());
    note.put("at", text(wave.stamp().at()));
    note.put("high_at", text(highAt));
    return StoredJson.write(note);
  }

  private static Map<String, @Nullable Object> chunk(ReadChunk read) {
    Map<String, @Nullable Object> chunk = new LinkedHashMap<>();
    chunk.put("chunk", read.planned().chunk());
    chunk.put("lo", read.planned().lo());
    chunk.put("hi", read.planned().hi());
    chunk.put("last", read.planned().last());
    chunk.put("rows", read.rows());
    chunk.put("high_lsn", read.highLsn());
    chunk.put("read_seconds", read.seconds());
    chunk.put("read_mb", Megabytes.of(read.bytes()));
    return chunk;
  }

  /** The wave that a note tells of; how long its commit took isn't known from it. */
  static ReadWave read(JsonNode note) {
    List<ReadChunk> chunks = new ArrayList<>();
    note.path("chunks").forEach(chunk -> chunks.add(chunk(chunk)));
    return new ReadWave(
        note.path("wave").asInt(),
        new Offset(
            Lsn.parse(note.path("lsn").asText()),
            Offset.time(note.path("commit_ts").textValue()),
            Offset.time(note.path("at").textValue())),
        note.path("history").asInt(),
        attempt(note),
        Offset.time(note.path("started_at").textValue()),
        null,
        chunks);
  }

  /** Who read the wave. */
  static @Nullable String attempt(JsonNode note) {
    return note.path("attempt").textValue();
  }

  private static ReadChunk chunk(JsonNode chunk) {
    JsonNode mb = chunk.path("read_mb");
    JsonNode seconds = chunk.path("read_seconds");
    return new ReadChunk(
        new ChunkBounds(
            chunk.path("chunk").asInt(),
            chunk.path("lo").asText(),
            chunk.path("hi").asText(),
            null,
            chunk.path("last").asBoolean()),
        chunk.path("rows").asLong(),
        Megabytes.bytes(mb.isNumber() ? (Double) mb.asDouble() : null),
        seconds.isNumber() ? (Double) seconds.asDouble() : null,
        chunk.path("high_lsn").textValue());
  }

  private static @Nullable String text(@Nullable LocalDateTime time) {
    return time == null ? null : Offset.format(time);
  }
}

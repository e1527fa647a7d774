package io.github.mssqlcdc.bronze;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What bronze's commits say of themselves in their {@code userMetadata}. */
final class CommitNote {
  private static final String APP_ID = "app_id";
  private static final String BATCH_ID = "batch_id";
  private static final String START_LSN = "start_lsn";
  private static final String END_LSN = "end_lsn";
  private static final String END_COMMIT_TS = "end_commit_ts";
  private static final String SNAPSHOT = "snapshot";
  private static final String SEED = "seed";
  private static final String AS_OF = "as_of";
  private static final String HISTORY = "history";
  static final String LSN = "lsn";
  static final String CHUNKS = "chunks";
  private static final String LAST = "last";
  private static final String COMMIT_TS = "commit_ts";
  private static final String AT = "at";
  private static final String HIGH_LSN = "high_lsn";
  private static final String HIGH_AT = "high_at";
  private static final String EVENTS = "events";
  private static final String BACKFILL = "backfill";
  private static final String CAPTURE_INSTANCE = "capture_instance";

  private CommitNote() {}

  /**
   * @param happened what happened to the source in the batch
   */
  static String ofBatch(
      BatchKey batch, BatchRange range, int history, List<Map<String, Object>> happened) {
    Map<String, Object> note = new LinkedHashMap<>();
    note.put(APP_ID, batch.appId());
    note.put(BATCH_ID, batch.batchId());
    note.put(START_LSN, range.start().toString());
    Map<String, JsonNode> end = parts(range.end());
    note.put(END_LSN, end.get(LSN));
    note.put(END_COMMIT_TS, end.get(COMMIT_TS));
    note.put(HISTORY, history);
    note.put(AT, end.get(AT));
    if (!happened.isEmpty()) {
      note.put(EVENTS, happened);
    }
    return StoredJson.write(note);
  }

  static String ofSnapshot(
      String captureInstance, Offset stamp, int history, @Nullable Offset high) {
    return StoredJson.write(whole(SNAPSHOT, captureInstance, stamp, history, high));
  }

  /** Of a snapshot that is a copy from elsewhere. */
  static String ofSeed(
      String captureInstance,
      @Nullable Instant asOf,
      Offset stamp,
      int history,
      @Nullable Offset high) {
    Map<String, Object> note = whole(SEED, captureInstance, stamp, history, high);
    note.put(AS_OF, asOf == null ? null : asOf.toString());
    return StoredJson.write(note);
  }

  private static Map<String, Object> whole(
      String kind, String captureInstance, Offset stamp, int history, @Nullable Offset high) {
    Map<String, Object> note = new LinkedHashMap<>();
    note.put(kind, captureInstance);
    note.putAll(parts(stamp));
    note.put(HISTORY, history);
    note.put(AT, note.remove(AT));
    Map<String, JsonNode> seen = high == null ? Map.of() : parts(high);
    note.put(HIGH_LSN, seen.get(LSN));
    note.put(HIGH_AT, seen.get(AT));
    return note;
  }

  /** The range of a batch's commit; empty if the commit isn't a batch's. */
  static Optional<BatchRange> range(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .filter(note -> note.path(START_LSN).isTextual() && note.path(END_LSN).isTextual())
        .map(
            note ->
                new BatchRange(
                    Lsn.parse(note.path(START_LSN).textValue()),
                    offset(note, END_LSN, END_COMMIT_TS)));
  }

  /** What happened to the source in a batch, by its commit. */
  static List<JsonNode> happened(Commit commit) {
    List<JsonNode> events = new ArrayList<>();
    StoredJson.parse(commit.userMetadata())
        .ifPresent(note -> note.path(EVENTS).forEach(events::add));
    return events;
  }

  /** The batch of a commit; empty if the commit isn't a batch's. */
  static Optional<CommittedBatch> batch(Commit commit) {
    return range(commit)
        .flatMap(
            range ->
                StoredJson.parse(commit.userMetadata())
                    .filter(note -> note.path(APP_ID).isTextual() && note.has(BATCH_ID))
                    .map(
                        note ->
                            new BatchKey(
                                note.path(APP_ID).textValue(), note.path(BATCH_ID).longValue()))
                    .map(key -> new CommittedBatch(key, range)));
  }

  /**
   * How far into the source's past a commit reaches: a batch's end, or a snapshot's or wave's stamp
   * and what its read may have seen after it.
   */
  static List<Offset> positions(Commit commit) {
    Optional<BatchRange> batch = range(commit);
    if (batch.isPresent()) {
      return List.of(batch.get().end());
    }
    JsonNode note = StoredJson.parse(commit.userMetadata()).orElse(MissingNode.getInstance());
    List<Offset> positions = new ArrayList<>();
    if (note.path(LSN).isTextual()) {
      positions.add(offset(note, LSN, COMMIT_TS));
    }
    highest(note)
        .map(high -> new Offset(high, null, Offset.time(note.path(HIGH_AT).textValue())))
        .ifPresent(positions::add);
    return positions;
  }

  /** The capture instance of a whole snapshot's or a seed's commit; empty if it is neither. */
  static Optional<String> snapshotOf(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .map(note -> note.has(SEED) ? note.path(SEED) : note.path(SNAPSHOT))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue);
  }

  /** Whether a commit is that of a seed whose copy was said to end at this time. */
  static boolean isSeedAsOf(Commit commit, Instant asOf) {
    return StoredJson.parse(commit.userMetadata())
        .filter(note -> note.has(SEED) && asOf.toString().equals(note.path(AS_OF).textValue()))
        .isPresent();
  }

  /** The stamp of a whole snapshot's commit. */
  static Offset stamp(Commit commit) {
    return offset(StoredJson.parse(commit.userMetadata()).orElseThrow(), LSN, COMMIT_TS);
  }

  /**
   * How far a commit's rows of a snapshot may have seen: max LSN as it was after their read. Empty
   * if the commit has no such rows, or doesn't tell.
   */
  static Optional<Position> seen(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .flatMap(CommitNote::highest)
        .map(high -> new Position(history(commit).orElse(0), high));
  }

  private static Optional<Lsn> highest(JsonNode note) {
    List<JsonNode> reads = new ArrayList<>();
    reads.add(note.path(HIGH_LSN));
    note.path(CHUNKS).forEach(chunk -> reads.add(chunk.path(HIGH_LSN)));
    return reads.stream()
        .filter(JsonNode::isTextual)
        .map(high -> Lsn.parse(high.textValue()))
        .max(Comparator.naturalOrder());
  }

  /** The S of the chunked snapshot that a wave's commit belongs to; empty if it isn't a wave's. */
  static Optional<Lsn> chunkedSnapshot(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .map(note -> note.path(BACKFILL))
        .filter(JsonNode::isTextual)
        .map(snapshot -> Lsn.parse(snapshot.textValue()));
  }

  /** Whether a wave's commit has the last chunk: then all before it are there, too. */
  static boolean hasLastChunk(Commit commit) {
    JsonNode note = StoredJson.parse(commit.userMetadata()).orElse(MissingNode.getInstance());
    boolean isLast = false;
    for (JsonNode chunk : note.path(CHUNKS)) {
      isLast |= chunk.path(LAST).asBoolean();
    }
    return isLast;
  }

  /** The capture instance that a wave's commit names. */
  static Optional<String> chunkedInstance(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .map(note -> note.path(CAPTURE_INSTANCE))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue);
  }

  static Optional<Integer> history(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .map(note -> note.path(HISTORY))
        .filter(JsonNode::isInt)
        .map(JsonNode::intValue);
  }

  private static Offset offset(JsonNode note, String lsn, String commitTs) {
    Map<String, Object> parts = new LinkedHashMap<>();
    parts.put(LSN, note.get(lsn));
    parts.put(COMMIT_TS, note.get(commitTs));
    parts.put(AT, note.get(AT));
    return Offset.parse(StoredJson.write(parts));
  }

  /** The offset's own JSON says how its parts are written. */
  private static Map<String, JsonNode> parts(Offset offset) {
    Map<String, JsonNode> parts = new LinkedHashMap<>();
    StoredJson.parse(offset.json())
        .orElseThrow()
        .properties()
        .forEach(entry -> parts.put(entry.getKey(), entry.getValue()));
    return parts;
  }
}

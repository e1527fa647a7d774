package io.github.mssqlcdc.silver;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.bronze.Position;
import io.github.mssqlcdc.delta.table.Commit;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far silver is: what its newest commit of ours says in its {@code userMetadata}.
 *
 * @param bronze id that Delta gave the bronze table
 * @param instance a capture instance that it had rows of; null: it had none
 * @param keys columns that its rows are told apart by
 * @param version of bronze that is applied
 * @param applied every change up to here is; null: none yet
 * @param snapshot the complete snapshot that it rests on; null: none
 * @param open the chunked snapshot that is being applied; null: none
 * @param seen a commit up to here may have been seen by a snapshot's read already, whatever its
 *     stamp; null: there was no snapshot
 */
record SilverNote(
    String bronze,
    @Nullable String instance,
    List<String> keys,
    long version,
    @Nullable Position applied,
    @Nullable Position snapshot,
    @Nullable Position open,
    @Nullable Position seen) {
  private static final String BRONZE = "silver_of";
  private static final String INSTANCE = "capture_instance";
  private static final String KEYS = "keys";
  private static final String VERSION = "bronze_version";

  SilverNote {
    keys = List.copyOf(keys);
  }

  /** Rows and images from before it may have missed changes: a snapshot begins anew there. */
  @Nullable Position since() {
    return open == null ? snapshot : open;
  }

  String json() {
    Map<String, Object> note = new LinkedHashMap<>();
    note.put(BRONZE, bronze);
    note.put(INSTANCE, instance);
    note.put(KEYS, keys);
    note.put(VERSION, version);
    put(note, "applied", applied);
    put(note, "snapshot", snapshot);
    put(note, "open_snapshot", open);
    put(note, "seen", seen);
    return StoredJson.write(note);
  }

  static Optional<SilverNote> of(Commit commit) {
    return StoredJson.parse(commit.userMetadata())
        .filter(note -> note.path(BRONZE).isTextual())
        .map(
            note ->
                new SilverNote(
                    note.path(BRONZE).textValue(),
                    note.path(INSTANCE).textValue(),
                    keys(note),
                    note.path(VERSION).asLong(),
                    position(note, "applied"),
                    position(note, "snapshot"),
                    position(note, "open_snapshot"),
                    position(note, "seen")));
  }

  private static List<String> keys(JsonNode note) {
    List<String> keys = new ArrayList<>();
    note.path(KEYS).forEach(key -> keys.add(key.asText()));
    return keys;
  }

  private static void put(Map<String, Object> note, String name, @Nullable Position position) {
    if (position != null) {
      note.put(name + "_lsn", position.lsn().toString());
      note.put(name + "_history", position.history());
    }
  }

  private static @Nullable Position position(JsonNode note, String name) {
    JsonNode lsn = note.path(name + "_lsn");
    return lsn.isTextual()
        ? new Position(note.path(name + "_history").asInt(), Lsn.parse(lsn.textValue()))
        : null;
  }
}

package io.github.mssqlcdc.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which generation is live, beside the checkpoint of the first. The facts decide; this serves a
 * stream without them, and people. Nothing is lost with it.
 */
record GenerationFile(Checkpoint checkpoint) {
  private static final String NAME = "_mssql_cdc_generation.json";
  private static final String GENERATION = "generation";
  private static final String SNAPSHOT_LSN = "snapshot_lsn";

  /** Empty if there is none, or a crash has torn it. */
  Optional<Generation> read() {
    return checkpoint.json(NAME).flatMap(GenerationFile::generation);
  }

  private static Optional<Generation> generation(JsonNode json) {
    if (!json.path(GENERATION).isInt() || !json.path(SNAPSHOT_LSN).isTextual()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Generation(
              json.path(GENERATION).intValue(),
              Offset.of(Lsn.parse(json.path(SNAPSHOT_LSN).textValue())),
              0));
    } catch (InvalidRequestException e) {
      return Optional.empty();
    }
  }

  /** Keeps a later generation than the first, if the file doesn't name it yet. */
  void keep(Generation generation) {
    Offset start = generation.start();
    if (start == null
        || generation.number() == 0
        || read().filter(kept -> isSame(kept, generation)).isPresent()) {
      return;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put(GENERATION, generation.number());
    json.put(SNAPSHOT_LSN, start.lsn().toString());
    checkpoint.keep(NAME, json);
  }

  private static boolean isSame(Generation kept, Generation generation) {
    Offset there = kept.start();
    Offset start = generation.start();
    return kept.number() == generation.number()
        && there != null
        && start != null
        && there.lsn().equals(start.lsn());
  }
}

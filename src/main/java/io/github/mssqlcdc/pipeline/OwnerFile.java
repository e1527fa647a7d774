package io.github.mssqlcdc.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Whose checkpoint it is, beside Spark's files: its batches are in one target, under one id. */
record OwnerFile(Checkpoint checkpoint) {
  private static final String NAME = "_mssql_cdc_owner.json";
  private static final String APP_ID = "app_id";
  private static final String TARGET = "target";

  /**
   * A stream that has a checkpoint.
   *
   * @param target bronze, as its caller spelt it when the stream started last
   */
  record Owner(String appId, String target) {}

  /** Empty if there is none, or a crash has torn it. */
  Optional<Owner> read() {
    return checkpoint
        .json(NAME)
        .filter(json -> json.path(APP_ID).isTextual())
        .map(OwnerFile::owner);
  }

  private static Owner owner(JsonNode json) {
    return new Owner(json.path(APP_ID).textValue(), json.path(TARGET).asText());
  }

  /** Keeps the owner, if the file doesn't name it yet. */
  void keep(Owner owner) {
    if (read().filter(owner::equals).isPresent()) {
      return;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put(APP_ID, owner.appId());
    json.put(TARGET, owner.target());
    checkpoint.keep(NAME, json);
  }
}

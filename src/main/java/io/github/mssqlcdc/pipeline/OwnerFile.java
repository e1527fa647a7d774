package io.github.mssqlcdc.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.StoredJson;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/** Whose checkpoint it is, beside Spark's files: its batches are in one target, under one id. */
record OwnerFile(Checkpoint checkpoint) {
  private static final String APP_ID = "app_id";
  private static final String TARGET = "target";

  /**
   * A stream that has a checkpoint.
   *
   * @param target bronze, as its caller spelt it when the stream started last
   */
  record Owner(String appId, String target) {}

  private Path path() {
    return checkpoint.file("_mssql_cdc_owner.json");
  }

  /** Empty if there is none, or a crash has torn it. */
  Optional<Owner> read() {
    Path path = path();
    try (InputStream in = path.getFileSystem(checkpoint.hadoop()).open(path)) {
      return StoredJson.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .filter(json -> json.path(APP_ID).isTextual())
          .map(OwnerFile::owner);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to read " + path, e);
    }
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
    Path path = path();
    try (OutputStream out = path.getFileSystem(checkpoint.hadoop()).create(path, true)) {
      out.write((StoredJson.write(json) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("Failed to keep the checkpoint's owner in " + path, e);
    }
  }
}

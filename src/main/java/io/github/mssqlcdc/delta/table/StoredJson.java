package io.github.mssqlcdc.delta.table;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON as it stands in tables and commits: one line, a blank after each colon and comma. */
public final class StoredJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StoredJson() {}

  /** The entries in their order; null values are written. */
  public static String write(Map<String, ?> entries) {
    try {
      return JSON.writer(new Spaced()).writeValueAsString(entries);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Cannot write as JSON: " + entries.keySet(), e);
    }
  }

  /** The object in this text; empty for null and for anything that isn't a JSON object. */
  public static Optional<JsonNode> parse(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(JSON.readTree(text)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static final class Spaced extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
      json.writeRaw(", ");
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(", ");
    }
  }
}

package io.github.mssqlcdc.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Readers of options that are JSON lists; the same rules as for {@link Parsers}. */
final class JsonLists {
  /** Numbers keep their digits: a bound is never rounded. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
          .build();

  private JsonLists() {}

  /** A list of at least one text, none of them blank or there twice. */
  static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    for (JsonNode name : list(text)) {
      check(name.isTextual() && !name.textValue().isBlank());
      names.add(name.textValue());
    }
    check(!names.isEmpty() && Set.copyOf(names).size() == names.size());
    return List.copyOf(names);
  }

  /** A list, maybe empty, of lists [number, lo, hi]; what the bounds mean is for others to say. */
  static List<SnapshotChunk> chunks(String text) {
    List<SnapshotChunk> chunks = new ArrayList<>();
    for (JsonNode chunk : list(text)) {
      check(chunk.isArray() && chunk.size() == 3);
      JsonNode number = chunk.get(0);
      check(number.isInt() && number.intValue() >= 0);
      chunks.add(
          new SnapshotChunk(number.intValue(), chunk.get(1).toString(), chunk.get(2).toString()));
    }
    return List.copyOf(chunks);
  }

  private static JsonNode list(String text) {
    try {
      JsonNode list = JSON.readTree(text);
      check(list.isArray());
      return list;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static void check(boolean allowed) {
    if (!allowed) {
      throw new IllegalArgumentException();
    }
  }
}

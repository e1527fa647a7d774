package io.github.mssqlcdc.keyrange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds as JSON: {@code 17} or {@code "K-17"} where one column is compared, {@code ["K", 17]}
 * where several are, in their order; {@code null} is open. Integers are numbers, all else is text;
 * both are read as either. An integer's bound may be one past the largest value of its type.
 */
public final class KeyJson {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
          .build();

  private static final int MAX_SHOWN = 100;

  private KeyJson() {}

  /**
   * Reads a bound; null where it is open.
   *
   * @throws IllegalArgumentException if it isn't a bound of these columns; the message says what is
   *     wrong and what is allowed
   */
  public static @Nullable KeyBound parse(List<KeyColumn> columns, String json) {
    JsonNode node = read(json);
    if (node.isNull()) {
      return null;
    }
    if (columns.size() == 1) {
      return new KeyBound(List.of(value(columns.get(0), node)));
    }
    if (!node.isArray() || node.size() != columns.size()) {
      throw new IllegalArgumentException(
          shown(json)
              + " is no bound: expected null, or a JSON list of a value for each of "
              + columns.stream().map(KeyColumn::name).toList());
    }
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      JsonNode value = node.get(i);
      values.add(value.isNull() ? null : value(columns.get(i), value));
    }
    return new KeyBound(values);
  }

  /** Writes a bound, with a blank after each comma. */
  public static String write(List<KeyColumn> columns, @Nullable KeyBound bound) {
    if (bound == null) {
      return "null";
    }
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String value = bound.values().get(i);
      boolean isBare = value == null || KeyText.isInteger(columns.get(i).type());
      values.add(isBare ? String.valueOf(value) : TextNode.valueOf(value).toString());
    }
    return columns.size() == 1 ? values.get(0) : "[" + String.join(", ", values) + "]";
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException | NumberFormatException e) {
      throw new IllegalArgumentException(shown(json) + " is no JSON", e);
    }
  }

  private static String value(KeyColumn column, JsonNode node) {
    if (!node.isValueNode()) {
      throw new IllegalArgumentException(
          shown(node.toString())
              + " is no value of column '"
              + column.name()
              + "': expected a text or a number");
    }
    try {
      // never as plain digits: 1e999999999 has many
      String text =
          column.isInteger()
              ? KeyNumber.integerBound(column.type(), node.asText())
              : KeyText.of(column.type(), node.asText());
      if (KeyText.isHeld(column, text)) {
        return text;
      }
      throw new IllegalArgumentException(text);
    } catch (IllegalArgumentException | java.time.DateTimeException e) {
      throw new IllegalArgumentException(
          shown(node.toString())
              + " is no value of column '"
              + column.name()
              + "': expected "
              + KeyText.expected(column),
          e);
    }
  }

  /** Fit for a message. */
  private static String shown(String json) {
    return json.length() <= MAX_SHOWN ? json : json.substring(0, MAX_SHOWN) + "…";
  }
}

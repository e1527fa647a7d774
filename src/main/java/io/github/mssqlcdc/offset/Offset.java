package io.github.mssqlcdc.offset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A position in the source's history: every commit at or below its LSN is processed.
 *
 * <p>Its JSON is canonical, {@code {"lsn":…,"commit_ts":…,"at":…}}: equal offsets are equal text,
 * which is how Spark compares them.
 *
 * @param lsn the last LSN processed
 * @param commitTs its commit time in UTC, to the millisecond; null if the LSN was not taken from
 *     the server's LSN map
 * @param at the server's own time of that LSN, as read from the map, without a zone; null likewise
 */
public record Offset(Lsn lsn, @Nullable LocalDateTime commitTs, @Nullable LocalDateTime at)
    implements Serializable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS");

  public Offset {
    commitTs = commitTs == null ? null : commitTs.truncatedTo(ChronoUnit.MILLIS);
    at = at == null ? null : at.truncatedTo(ChronoUnit.MILLIS);
  }

  /** An LSN that was not taken from the map, so without times. */
  public static Offset of(Lsn lsn) {
    return new Offset(lsn, null, null);
  }

  /**
   * Reads an offset's JSON; a missing key counts as null.
   *
   * @throws InvalidRequestException if it isn't an offset's JSON
   */
  public static Offset parse(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      if (node == null || !node.path("lsn").isTextual()) {
        throw invalid(json, null);
      }
      return new Offset(
          Lsn.parse(node.path("lsn").textValue()),
          time(node.path("commit_ts").textValue()),
          time(node.path("at").textValue()));
    } catch (JsonProcessingException | DateTimeParseException e) {
      throw invalid(json, e);
    }
  }

  /** The canonical JSON. */
  public String json() {
    ObjectNode node = JSON.createObjectNode();
    node.put("lsn", lsn.toString());
    node.put("commit_ts", commitTs == null ? null : format(commitTs));
    node.put("at", at == null ? null : format(at));
    return node.toString();
  }

  /** A time as it stands in an offset, and in all other JSON that is stored. */
  public static String format(LocalDateTime time) {
    return MILLIS.format(time);
  }

  /** The time in such a text; null for null. */
  public static @Nullable LocalDateTime time(@Nullable String text) {
    return text == null ? null : LocalDateTime.parse(text);
  }

  private static InvalidRequestException invalid(String json, @Nullable Exception cause) {
    return new InvalidRequestException(
        ErrorCode.INVALID_OFFSET,
        "Invalid offset '"
            + json
            + "': expected {\"lsn\":…,\"commit_ts\":…,\"at\":…}. If this comes from a checkpoint, it"
            + " belongs to another source or was damaged: start with a new checkpoint and appId",
        cause);
  }
}

package io.github.mssqlcdc.finalization;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import java.time.LocalDateTime;
import java.util.Optional;
import org.apache.spark.sql.streaming.SourceProgress;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.jspecify.annotations.Nullable;

/** What the position of a stream says about the periods before it. */
public final class Verdicts {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Verdicts() {}

  /**
   * The verdict that a position gives: the beginning of the period that it lies in. No change that
   * comes after the position has an earlier commit time, for commit times never go back.
   *
   * @param end of a batch that is in bronze
   * @return empty if the position has no time
   */
  public static Optional<Verdict> candidate(Offset end, Granularity granularity) {
    LocalDateTime time = end.commitTs();
    return time == null
        ? Optional.empty()
        : Optional.of(new Verdict(granularity.floor(time), end.lsn(), time));
  }

  /** Where a query stands by its progress; empty without a source of ours, or before its first. */
  public static Optional<Offset> end(@Nullable StreamingQueryProgress progress) {
    if (progress == null || progress.sources().length == 0) {
      return Optional.empty();
    }
    SourceProgress source = progress.sources()[0];
    return end(source.endOffset());
  }

  /**
   * An offset as a progress has it.
   *
   * @param text its JSON, also as a JSON text that holds it; null: there is none
   */
  static Optional<Offset> end(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return Optional.empty();
    }
    try {
      JsonNode node = JSON.readTree(text);
      String json = node.isTextual() ? node.textValue() : text;
      return node.isNull() ? Optional.empty() : Optional.of(Offset.parse(json));
    } catch (JsonProcessingException | InvalidRequestException e) {
      // another source's
      return Optional.empty();
    }
  }
}

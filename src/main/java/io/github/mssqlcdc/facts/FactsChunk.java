package io.github.mssqlcdc.facts;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.delta.table.StoredJson;
import io.github.mssqlcdc.lsn.Lsn;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * A chunk's row, read back.
 *
 * @param snapshot S of the snapshot that it belongs to
 * @param chunk its number
 * @param rows its rows; null where they aren't told
 * @param stamp of its rows; null likewise
 * @param last whether it is the plan's final one
 */
public record FactsChunk(
    Lsn snapshot, int chunk, @Nullable Long rows, @Nullable Lsn stamp, boolean last) {

  static Optional<FactsChunk> of(Row row) {
    String stamp = FactsColumn.MIN_LSN.of(row);
    Long rows = FactsColumn.ROWS.of(row);
    return StoredJson.parse(FactsColumn.DETAIL.of(row))
        .filter(detail -> detail.path("snapshot").isTextual() && detail.path("chunk").isInt())
        .map(
            (JsonNode detail) ->
                new FactsChunk(
                    Lsn.parse(detail.path("snapshot").textValue()),
                    detail.path("chunk").intValue(),
                    rows,
                    stamp == null ? null : Lsn.parse(stamp),
                    detail.path("last").asBoolean()));
  }
}

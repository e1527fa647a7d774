package io.github.mssqlcdc.facts;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.mssqlcdc.offset.Offset;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * An event's row, read back.
 *
 * @param event what happened
 * @param appId the stream's id in the row, that of a generation among them
 * @param target bronze, as the caller spelt it
 * @param position where it happened
 * @param rows its rows; null where they aren't known
 * @param readMb size of the values read; null likewise
 * @param startedAt when the work began, UTC
 * @param detail its JSON
 */
public record FactsEntry(
    FactsEvent event,
    String appId,
    String target,
    Offset position,
    @Nullable Long rows,
    @Nullable Double readMb,
    @Nullable LocalDateTime startedAt,
    JsonNode detail) {}

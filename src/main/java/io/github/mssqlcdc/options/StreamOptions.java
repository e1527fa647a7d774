package io.github.mssqlcdc.options;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of the format {@code mssql_cdc}.
 *
 * @param source what both formats take
 * @param start where a new checkpoint begins
 * @param maxCommitsPerBatch entries of the LSN map per batch; null: no cap
 * @param maxRowsPerBatch change rows of the table per batch, whole commits; null: no cap
 * @param failOnDataLoss whether lost changes stop the stream
 * @param schemaChangePolicy what DDL does
 * @param includeCommandId whether rows have {@code _command_id}
 * @param includeUpdateMask whether rows have {@code _update_mask}
 * @param pollInterval how often max LSN is read at most, per server and JVM
 * @param idleInterval how often a batch without rows is made at most
 * @param ledger id of the ledger that the facade opened for this stream; null: none
 */
public record StreamOptions(
    SourceOptions source,
    Start start,
    @Nullable Long maxCommitsPerBatch,
    @Nullable Long maxRowsPerBatch,
    boolean failOnDataLoss,
    SchemaChangePolicy schemaChangePolicy,
    boolean includeCommandId,
    boolean includeUpdateMask,
    Duration pollInterval,
    Duration idleInterval,
    @Nullable String ledger) {}

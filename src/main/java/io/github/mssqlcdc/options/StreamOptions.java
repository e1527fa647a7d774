package io.github.mssqlcdc.options;

import io.github.mssqlcdc.offset.Offset;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
 * @param pollInterval how often max LSN is read at most, per server and JVM
 * @param idleInterval how often a batch without rows is made at most
 * @param seen up to where the target has read the source, beyond the stream perhaps; null: nothing
 *     is known
 * @param ledger id of the ledger that the facade opened for this stream; null: none
 */
public record StreamOptions(
    SourceOptions source,
    Start start,
    @Nullable Long maxCommitsPerBatch,
    @Nullable Long maxRowsPerBatch,
    boolean failOnDataLoss,
    SchemaChangePolicy schemaChangePolicy,
    Duration pollInterval,
    Duration idleInterval,
    @Nullable Offset seen,
    @Nullable String ledger) {

  /**
   * Reads the options of a stream, their names in any case; unknown ones are left alone.
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if one is missing, isn't allowed, or
   *     excludes another
   */
  public static StreamOptions parse(Map<String, String> options) {
    OptionValues values = OptionValues.of(options);
    return new StreamOptions(
        SourceOptions.of(values),
        start(values),
        values.find(Options.MAX_COMMITS_PER_BATCH),
        values.find(Options.MAX_ROWS_PER_BATCH),
        values.require(Options.FAIL_ON_DATA_LOSS),
        values.require(Options.SCHEMA_CHANGE_POLICY),
        values.require(Options.POLL_INTERVAL),
        values.require(Options.IDLE_INTERVAL),
        values.find(Options.SEEN_OFFSET),
        values.find(Options.LEDGER));
  }

  private static Start start(OptionValues values) {
    Offset given = values.find(Options.STARTING_OFFSET);
    if (given != null) {
      return new Start.After(given);
    }
    Instant time = values.find(Options.STARTING_TIMESTAMP);
    if (time == null) {
      return values.require(Options.STARTING_LSN);
    }
    if (values.has(Options.STARTING_LSN)) {
      throw OptionValues.invalid(
          "Invalid options: 'startingLsn' and 'startingTimestamp' exclude each other; set one");
    }
    return new Start.From(time);
  }
}

package io.github.mssqlcdc.options;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of the format {@code mssql_cdc_snapshot}.
 *
 * @param source what both formats take
 * @param stamp position that the rows are stamped with; null: recorded when the read is planned
 * @param stampedMaxLsn max LSN as read when the stamp was taken; null: the read doesn't compare
 * @param lsn LSN that the rows are stamped with; null: recorded when the read is planned
 * @param keys columns that the table is cut on, and that the chunks' bounds apply to; null: those
 *     of the unique index
 * @param chunks parts of the table to read, maybe none; null: the whole table, without chunks
 * @param ledger id of the ledger that the chunks' measures go to; null: none
 */
public record SnapshotOptions(
    SourceOptions source,
    @Nullable Offset stamp,
    @Nullable Lsn stampedMaxLsn,
    @Nullable Lsn lsn,
    @Nullable List<String> keys,
    @Nullable List<SnapshotChunk> chunks,
    @Nullable String ledger) {

  public SnapshotOptions {
    keys = keys == null ? null : List.copyOf(keys);
    chunks = chunks == null ? null : List.copyOf(chunks);
  }

  /**
   * Reads the options of a snapshot, their names in any case; unknown ones are left alone.
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if one is missing or isn't allowed
   */
  public static SnapshotOptions parse(Map<String, String> options) {
    OptionValues values = OptionValues.of(options);
    return new SnapshotOptions(
        SourceOptions.of(values),
        values.find(Options.SNAPSHOT_OFFSET),
        values.find(Options.STAMPED_MAX_LSN),
        values.find(Options.SNAPSHOT_LSN),
        values.find(Options.SNAPSHOT_KEYS),
        values.find(Options.SNAPSHOT_CHUNKS),
        values.find(Options.LEDGER));
  }
}

package io.github.mssqlcdc.options;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of the format {@code mssql_cdc_snapshot}.
 *
 * @param source what both formats take
 * @param stamp position that the rows are stamped with; null: recorded when the read is planned
 * @param stampedMaxLsn max LSN as read when the stamp was taken; null: the read doesn't compare
 */
public record SnapshotOptions(
    SourceOptions source, @Nullable Offset stamp, @Nullable Lsn stampedMaxLsn) {

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
        values.find(Options.STAMPED_MAX_LSN));
  }
}

package io.github.mssqlcdc.options;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What both formats take.
 *
 * @param connection how to reach the database
 * @param captureInstance name of the capture instance
 * @param columns DDL of the columns to read; null: all, with inferred types
 * @param includeCommandId whether rows have {@code _command_id}
 * @param includeUpdateMask whether rows have {@code _update_mask}
 * @param numPartitions how many ranges are read at a time; null: the session's default parallelism
 * @param fetchSize rows of a column batch
 * @param sourceTimeZone {@code auto}, or a Windows or IANA zone name
 * @param isolation how the source table is read; change tables are read under READ COMMITTED
 * @param lockTimeout how long a read of the source table waits for a lock; null: the server's own
 */
public record SourceOptions(
    ConnectionOptions connection,
    String captureInstance,
    @Nullable String columns,
    boolean includeCommandId,
    boolean includeUpdateMask,
    @Nullable Integer numPartitions,
    int fetchSize,
    String sourceTimeZone,
    Isolation isolation,
    @Nullable Duration lockTimeout)
    implements Serializable {

  static SourceOptions of(OptionValues values) {
    return new SourceOptions(
        ConnectionOptions.of(values),
        values.require(Options.CAPTURE_INSTANCE),
        values.find(Options.COLUMNS),
        values.require(Options.INCLUDE_COMMAND_ID),
        values.require(Options.INCLUDE_UPDATE_MASK),
        values.find(Options.NUM_PARTITIONS),
        values.require(Options.FETCH_SIZE),
        values.require(Options.SOURCE_TIME_ZONE),
        values.require(Options.ISOLATION_LEVEL),
        values.find(Options.LOCK_TIMEOUT));
  }
}

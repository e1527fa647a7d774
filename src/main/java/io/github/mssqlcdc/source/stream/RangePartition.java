package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.source.row.CommitTimes;
import io.github.mssqlcdc.sqlserver.ServerClock;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * One range of one batch.
 *
 * @param start the batch's start
 * @param end the batch's end
 * @param index the range's place among the batch's, from 0
 * @param changeTable id of the change table that it is a range of
 * @param clock the server's clock for the batch: tasks don't look it up
 */
record RangePartition(
    Offset start, Offset end, int index, int changeTable, ChangeRange range, ServerClock clock)
    implements InputPartition {

  /** Commit times of its rows: what the batch's ends carry holds for them, too. */
  CommitTimes commitTimes() {
    return new CommitTimes(clock, start.commitTs(), end.commitTs());
  }
}

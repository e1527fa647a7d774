package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.chunk.ChunkPlanner;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Where chunks come from.
 *
 * @param key what the table is cut on
 * @param rows reads chunks
 * @param history called with a position before what follows it is read; throws if the source has
 *     another past now
 * @param lost given the position that the stream has read up to; says what the source has lost of
 *     what follows, for a person
 * @param clock in UTC
 */
public record BackfillSource(
    SqlServer server,
    CaptureInstance instance,
    SnapshotKey key,
    ChunkRows rows,
    Consumer<Offset> history,
    Function<Offset, Optional<String>> lost,
    Clock clock) {

  /** Reads chunks as {@code mssql_cdc_snapshot} gives them. */
  public interface ChunkRows {
    /**
     * @param stamp what the rows are stamped with
     * @param maxLsn max LSN as read with the stamp; null when the map was empty
     * @param connections how many chunks are read at a time
     * @param ledgerId id of the ledger that takes the chunks' measures
     */
    Dataset<Row> read(
        Offset stamp,
        @Nullable Lsn maxLsn,
        List<ChunkBounds> chunks,
        int connections,
        String ledgerId);
  }

  /**
   * @throws InvalidRequestException if the snapshot is of another source table
   */
  void requireSameTable(SnapshotOpen open) {
    if (HeldSnapshots.isOfAnother(open, server, instance)) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_TARGET,
          "Cannot read chunks of capture instance '"
              + instance.name()
              + "' into '"
              + open.target()
              + "': "
              + open.description()
              + " is of capture instance '"
              + open.captureInstance()
              + "', of another table. Give the options of the stream that opened it");
    }
  }

  ChunkPlan plan() {
    return new ChunkPlan(new ChunkPlanner(server, instance), key);
  }
}

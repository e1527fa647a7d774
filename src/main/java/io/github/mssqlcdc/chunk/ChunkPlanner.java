package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the chunks of a table's snapshot. It reads nothing but counts and bounds, under the
 * isolation and lock timeout of the {@link SqlServer} it is given, however long that takes; who
 * waits is told once a minute, in the log.
 *
 * <p>The life of a plan: {@link #extent} when the snapshot opens, after S is recorded; {@link
 * #plan} once, in the first call that reads chunks, its result recorded for good; then, before each
 * wave that has the last chunk, {@link #closed} as long as that one {@link PlannedChunk#isOpen}. A
 * plan is right whatever was counted: its chunks cover each key up to MAX once, in the server's
 * order. Only their sizes hang on the counts.
 *
 * <p>Thread-safe.
 */
public final class ChunkPlanner {
  private final SqlServer server;
  private final CaptureInstance instance;

  public ChunkPlanner(SqlServer server, CaptureInstance instance) {
    this.server = server;
    this.instance = instance;
  }

  /**
   * Reads how far the key reaches: MIN and MAX of an integer, MAX of another key, nothing without a
   * key; and the server's estimate of the rows.
   *
   * @param stampedMaxLsn max LSN as read when S was taken: a server behind it may lack keys that
   *     the snapshot needs; null: no check
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN is below it
   */
  public TableExtent extent(SnapshotKey key, @Nullable Lsn stampedMaxLsn) {
    throw new UnsupportedOperationException();
  }

  /**
   * The chunks, at least one.
   *
   * @param chunkRows the most rows of a chunk of an integer key, the rows of one of another key; a
   *     value that more rows hold isn't split
   */
  public List<PlannedChunk> plan(TableExtent extent, long chunkRows) {
    throw new UnsupportedOperationException();
  }

  /** The last chunk with its end, if a key is above MAX by now; else as it is. */
  public PlannedChunk closed(TableExtent extent, PlannedChunk last) {
    throw new UnsupportedOperationException();
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.chunk.ChunkKind;
import io.github.mssqlcdc.chunk.ChunkPlanner;
import io.github.mssqlcdc.chunk.PlannedChunk;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.chunk.TableExtent;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyJson;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plan of a snapshot's chunks: as the server gives it, and as it is stored. */
final class ChunkPlan {
  private final ChunkPlanner planner;
  private final SnapshotKey key;

  ChunkPlan(ChunkPlanner planner, SnapshotKey key) {
    this.planner = planner;
    this.key = key;
  }

  /** Names of the columns that the table is cut on now; none without a usable key. */
  List<String> keys() {
    return columns().stream().map(KeyColumn::name).toList();
  }

  private List<KeyColumn> columns() {
    return key.kind() == null ? List.of() : key.columns();
  }

  /**
   * How far the keys reach now.
   *
   * @param maxLsn max LSN as read with S; null when the map was empty
   */
  Extent extent(int open, Offset position, int history, @Nullable Lsn maxLsn) {
    TableExtent extent = planner.extent(key, maxLsn);
    ChunkKind kind = extent.kind();
    return new Extent(
        open,
        position,
        history,
        kind == null ? null : kind.text(),
        extent.columns().stream().map(KeyColumn::name).toList(),
        stored(extent.columns(), extent.min()),
        stored(extent.columns(), extent.max()),
        extent.rows());
  }

  private static @Nullable String stored(List<KeyColumn> columns, @Nullable KeyBound bound) {
    return bound == null ? null : KeyJson.write(columns, bound);
  }

  /**
   * @throws InvalidRequestException if the table would be cut on other columns now
   */
  void requireSameKeys(Extent extent) {
    if (!extent.keys().equals(keys())) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Cannot go on with the chunked snapshot at "
              + extent.position().lsn()
              + ": it is cut on "
              + extent.keys()
              + ", but the table's unique index, or option 'snapshotKeys', names "
              + keys()
              + " now. Give the same columns in 'snapshotKeys'; or give the snapshot up with"
              + " abandonSnapshot and open a new one");
    }
  }

  List<ChunkBounds> plan(Extent extent, long chunkRows) {
    return planner.plan(table(extent), chunkRows).stream().map(ChunkPlan::stored).toList();
  }

  /** The chunk with an end, if it is the plan's last one and its end could be found only now. */
  ChunkBounds closed(Extent extent, ChunkBounds chunk) {
    if (!chunk.last() || !chunk.hi().equals(ChunkBounds.OPEN) || extent.kind() == null) {
      return chunk;
    }
    List<KeyColumn> columns = columns();
    PlannedChunk last =
        new PlannedChunk(
            chunk.chunk(),
            new KeyRange(columns, KeyJson.parse(columns, chunk.lo()), null),
            chunk.rows(),
            true);
    return stored(planner.closed(table(extent), last));
  }

  private TableExtent table(Extent extent) {
    String kind = extent.kind();
    List<KeyColumn> columns = kind == null ? List.of() : columns();
    return new TableExtent(
        kind == null ? null : ChunkKind.parse(kind),
        columns,
        bound(columns, extent.min()),
        bound(columns, extent.max()),
        extent.rows());
  }

  private static @Nullable KeyBound bound(List<KeyColumn> columns, @Nullable String json) {
    return json == null ? null : KeyJson.parse(columns, json);
  }

  private static ChunkBounds stored(PlannedChunk chunk) {
    KeyRange range = chunk.range();
    return new ChunkBounds(
        chunk.number(),
        KeyJson.write(range.columns(), range.lo()),
        KeyJson.write(range.columns(), range.hi()),
        chunk.rows(),
        chunk.isLast());
  }
}

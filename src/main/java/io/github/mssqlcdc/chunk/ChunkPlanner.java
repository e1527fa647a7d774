package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.KeysetPlanner;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TableSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  /** A plan is in memory as a whole, and one commit: beyond this, chunks are too small. */
  static final int MAX_CHUNKS = 1_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(ChunkPlanner.class);

  private final SqlServer server;
  private final CaptureInstance instance;

  public ChunkPlanner(SqlServer server, CaptureInstance instance) {
    this.server = server;
    this.instance = instance;
  }

  /**
   * Reads how far the key reaches: MIN and MAX of an integer, MAX of another key, nothing without a
   * key or where MAX can't be told exactly; and the server's estimate of the rows.
   *
   * @param stampedMaxLsn max LSN as read when S was taken: a server behind it may lack keys that
   *     the snapshot needs; null: no check
   * @throws io.github.mssqlcdc.error.SourceBehindException if max LSN is below it
   */
  public TableExtent extent(SnapshotKey key, @Nullable Lsn stampedMaxLsn) {
    ChunkKind kind = key.kind();
    Long rows = server.tableSize(instance).map(TableSize::rows).orElse(null);
    if (kind == null) {
      LOG.warn(
          "{}: the snapshot is one chunk, read by one connection and from its beginning where it"
              + " breaks, because {}",
          instance.description(),
          key.obstacle());
      return new TableExtent(null, List.of(), null, null, rows);
    }
    try (PlanningWatch watch = watch()) {
      KeyEnds ends = server.keyEnds(instance, key.columns(), stampedMaxLsn);
      watch.answered();
      KeyBound max = ends.max();
      if (max != null && !max.isExact()) {
        LOG.warn(
            "{}: its largest key holds half of a surrogate pair, which no client can read, so the"
                + " snapshot is one chunk. Option 'snapshotKeys' names other columns to cut it on",
            instance.description());
        return new TableExtent(null, List.of(), null, null, rows);
      }
      return new TableExtent(kind, key.columns(), ends.min(), ends.max(), rows);
    }
  }

  /**
   * The chunks, at least one.
   *
   * @param chunkRows the most rows of a chunk of an integer key, the rows of one of another key; a
   *     value that more rows hold isn't split
   * @throws InvalidRequestException if that makes more than {@value #MAX_CHUNKS} chunks
   */
  public List<PlannedChunk> plan(TableExtent extent, long chunkRows) {
    if (chunkRows < 1) {
      throw new IllegalArgumentException("Cannot plan chunks of " + chunkRows + " rows");
    }
    try (PlanningWatch watch = watch()) {
      List<PlannedChunk> chunks = plan(extent, chunkRows, watch);
      LOG.info(
          "{}: {} chunks of about {} rows by {} planned in {} s",
          instance.description(),
          chunks.size(),
          chunkRows,
          extent.columns().stream().map(KeyColumn::name).toList(),
          watch.seconds());
      return chunks;
    }
  }

  private List<PlannedChunk> plan(TableExtent extent, long chunkRows, PlanningWatch watch) {
    if (extent.kind() == null) {
      return List.of(new PlannedChunk(0, new KeyRange(List.of(), null, null), null, true));
    }
    return extent.kind() == ChunkKind.INT
        ? sliced(extent, chunkRows, watch)
        : sought(extent, chunkRows, watch);
  }

  private List<PlannedChunk> sliced(TableExtent extent, long chunkRows, PlanningWatch watch) {
    KeyColumn column = extent.columns().get(0);
    KeyBound min = extent.min();
    KeyBound max = extent.max();
    if (min == null || max == null) {
      // NULLs, if anything
      KeyRange nulls = new KeyRange(extent.columns(), null, KeyBound.of(column.smallestInteger()));
      return List.of(new PlannedChunk(0, nulls, null, true));
    }
    SlicePlan plan =
        new SlicePlan(
            column,
            chunkRows,
            grid -> {
              watch.answered();
              return server.countSlices(instance, grid);
            });
    Long rows = extent.rows();
    return plan.chunks(integer(min), integer(max), rows == null ? 1 : rows);
  }

  private static long integer(KeyBound bound) {
    return Long.parseLong(String.valueOf(bound.values().get(0)));
  }

  private List<PlannedChunk> sought(TableExtent extent, long chunkRows, PlanningWatch watch) {
    List<KeyRange> ranges =
        KeysetPlanner.cut(
            extent.columns(),
            LongStream.iterate(0, chunks -> chunks + 1)
                .peek(chunks -> requireRoom(chunks, chunkRows))
                .map(chunks -> chunkRows),
            (from, rows) -> {
              watch.answered();
              return next(extent, from, rows);
            });
    List<PlannedChunk> chunks = new ArrayList<>();
    for (KeyRange range : ranges.subList(0, ranges.size() - 1)) {
      chunks.add(new PlannedChunk(chunks.size(), range, chunkRows, false));
    }
    KeyRange rest = ranges.get(ranges.size() - 1);
    chunks.add(closed(extent, new PlannedChunk(chunks.size(), rest, null, true)));
    return chunks;
  }

  /** From the table's first key on, so that the rows of that key, NULLs say, stay together. */
  private Optional<KeyBound> next(TableExtent extent, @Nullable KeyBound from, long rows) {
    if (extent.max() == null) {
      return Optional.empty();
    }
    Optional<KeyBound> begin =
        from == null ? seek(extent, null, extent.max(), 0) : Optional.of(from);
    return begin.flatMap(key -> seek(extent, key, extent.max(), rows));
  }

  /**
   * The last chunk with its end, if a key is above MAX by now; else as it is. Where there was no
   * key at all, the first one is its end: nothing that came after the open belongs to it.
   */
  public PlannedChunk closed(TableExtent extent, PlannedChunk last) {
    if (!last.isOpen()) {
      return last;
    }
    KeyRange range = last.range();
    return seek(extent, extent.max(), null, extent.max() == null ? 0 : 1)
        .filter(KeyBound::isExact)
        .map(
            end ->
                new PlannedChunk(
                    last.number(),
                    new KeyRange(range.columns(), range.lo(), end),
                    last.rows(),
                    true))
        .orElse(last);
  }

  private Optional<KeyBound> seek(
      TableExtent extent, @Nullable KeyBound from, @Nullable KeyBound through, long rows) {
    return server.seekKey(instance, new KeySeek(extent.columns(), List.of(), from, through, rows));
  }

  /** A further chunk must be allowed. */
  static void requireRoom(long chunks, long chunkRows) {
    if (chunks >= MAX_CHUNKS) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid chunkRows "
              + chunkRows
              + ": the table would have more than "
              + MAX_CHUNKS
              + " chunks; give more rows to a chunk");
    }
  }

  private PlanningWatch watch() {
    return new PlanningWatch(instance.description());
  }
}

package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.chunk.ChunkKind;
import io.github.mssqlcdc.chunk.PlanningWatch;
import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.KeysetPlanner;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.TableSize;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides in which ranges a whole table is read. A table that isn't cut has none: one connection
 * reads it.
 *
 * @param asked option {@code numPartitions}; null: what the session runs at a time, if the table is
 *     large enough
 */
record TableSplit(
    SqlServer server,
    CaptureInstance instance,
    SnapshotKey key,
    TableSizes sizes,
    @Nullable Integer asked) {

  /** Fewer rows are read by one connection sooner than by several. */
  static final long FLOOR = 50_000;

  private static final Logger LOG = LoggerFactory.getLogger(TableSplit.class);

  /**
   * @param limit the most rows that are wanted; null: all
   */
  List<KeyRange> ranges(List<ColumnFilter> filters, @Nullable Integer limit) {
    if (limit != null && limit <= FLOOR) {
      return List.of();
    }
    int count = asked == null ? SparkContext.getOrCreate().defaultParallelism() : asked;
    if (count == 1) {
      return List.of();
    }
    Optional<TableSize> size = sizes.get();
    if (asked == null && size.isPresent()) {
      count = (int) Math.min(count, size.get().rows() / FLOOR);
    }
    if (count <= 1) {
      return List.of();
    }
    if (key.obstacle() != null) {
      return whole(key.obstacle());
    }
    List<KeyColumn> columns = key.columns();
    if (key.kind() == ChunkKind.INT) {
      return sliced(new KeySlices(columns.get(0)), size, count);
    }
    return size.isEmpty()
        ? whole("the server doesn't tell how many rows it has")
        : sought(size.get().rows(), count, filters);
  }

  /** Without a count of rows gaps can't be told from what is merely sparse. */
  private List<KeyRange> sliced(KeySlices slices, Optional<TableSize> size, int count) {
    long rows = size.map(TableSize::rows).orElse(Long.MAX_VALUE);
    return slices.uniform(slices.dense(rows, ranges -> server.keyExtents(instance, ranges)), count);
  }

  private List<KeyRange> sought(long rows, int count, List<ColumnFilter> filters) {
    try (PlanningWatch watch = new PlanningWatch(instance.description())) {
      List<KeyRange> ranges =
          KeysetPlanner.plan(
              key.columns(),
              rows,
              count,
              (from, skipped) -> {
                watch.answered();
                return server.seekKey(instance, new KeySeek(key.columns(), filters, from, skipped));
              });
      LOG.info(
          "{}: cut into {} ranges by {} in {} s, from about {} rows",
          instance.description(),
          ranges.size(),
          key.columns().stream().map(KeyColumn::name).toList(),
          watch.seconds(),
          rows);
      return ranges;
    }
  }

  private List<KeyRange> whole(String reason) {
    LOG.warn("{} is read by one connection, because {}", instance.description(), reason);
    return List.of();
  }
}

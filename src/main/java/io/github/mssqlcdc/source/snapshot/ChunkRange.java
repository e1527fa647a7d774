package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyJson;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.options.SnapshotChunk;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CapturedTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of the options with its bounds as values of the table's key.
 *
 * @param range null: the whole table
 */
record ChunkRange(int number, @Nullable KeyRange range) {

  private static final String OPEN = "null";

  /**
   * The options' chunks; null if they have none.
   *
   * @throws InvalidRequestException if there is no key to cut on, a key isn't captured, or a bound
   *     is no value of it
   */
  static @Nullable List<ChunkRange> of(CapturedTable table, SnapshotOptions options) {
    List<SnapshotChunk> chunks = options.chunks();
    if (chunks == null) {
      return null;
    }
    List<KeyColumn> columns =
        SnapshotKey.of(table.instance(), table.columns(), options.keys()).columns();
    if (columns.isEmpty() && chunks.stream().allMatch(ChunkRange::isOpen)) {
      return chunks.stream().map(chunk -> new ChunkRange(chunk.number(), null)).toList();
    }
    if (columns.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Missing option 'snapshotKeys': "
              + table.instance().description()
              + " has no unique index to apply the bounds of 'snapshotChunks' to; name the columns,"
              + " for example [\"id\"]");
    }
    List<ChunkRange> ranges = new ArrayList<>();
    for (SnapshotChunk chunk : chunks) {
      ranges.add(new ChunkRange(chunk.number(), range(columns, chunk)));
    }
    return List.copyOf(ranges);
  }

  /** Then it needs no key. */
  private static boolean isOpen(SnapshotChunk chunk) {
    return chunk.lo().equals(OPEN) && chunk.hi().equals(OPEN);
  }

  private static KeyRange range(List<KeyColumn> columns, SnapshotChunk chunk) {
    try {
      return new KeyRange(
          columns, KeyJson.parse(columns, chunk.lo()), KeyJson.parse(columns, chunk.hi()));
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Invalid bound of chunk "
              + chunk.number()
              + " in option 'snapshotChunks': "
              + e.getMessage(),
          e);
    }
  }
}

package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyJson;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.options.SnapshotChunk;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.source.row.CapturedTable;
import io.github.mssqlcdc.type.CapturedColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A chunk of the options with its bounds as values of the table's key. */
record ChunkRange(int number, KeyRange range) {

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
    List<KeyColumn> columns = columns(table, options.keys());
    List<ChunkRange> ranges = new ArrayList<>();
    for (SnapshotChunk chunk : chunks) {
      ranges.add(new ChunkRange(chunk.number(), range(columns, chunk)));
    }
    return List.copyOf(ranges);
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

  private static List<KeyColumn> columns(CapturedTable table, @Nullable List<String> named) {
    List<String> names = named == null ? table.instance().keyColumns() : named;
    if (names.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.INVALID_OPTION,
          "Missing option 'snapshotKeys': "
              + table.instance().description()
              + " has no unique index to apply the bounds of 'snapshotChunks' to; name the columns,"
              + " for example [\"id\"]");
    }
    Map<String, KeyColumn> columns = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      find(table, name)
          .ifPresentOrElse(column -> columns.put(name, column), () -> unknown.add(name));
    }
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.UNKNOWN_COLUMN,
          "Unknown columns "
              + unknown
              + " in option 'snapshotKeys': captured and on the table are "
              + onTable(table).map(CapturedColumn::name).collect(Collectors.joining(", ")));
    }
    return List.copyOf(columns.values());
  }

  /** An exact match first, then the only one that differs in case. */
  private static Optional<KeyColumn> find(CapturedTable table, String name) {
    List<CapturedColumn> matches =
        onTable(table).filter(column -> column.name().equalsIgnoreCase(name)).toList();
    return matches.stream()
        .filter(column -> matches.size() == 1 || column.name().equals(name))
        .findFirst()
        .map(KeyColumn::of);
  }

  private static Stream<CapturedColumn> onTable(CapturedTable table) {
    return table.columns().stream().filter(CapturedColumn::isOnTable);
  }
}

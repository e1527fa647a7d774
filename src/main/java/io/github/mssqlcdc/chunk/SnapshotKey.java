package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import io.github.mssqlcdc.type.SelectColumn;
import io.github.mssqlcdc.type.SelectForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a table is cut on.
 *
 * @param columns the leading one first; none: there is no key
 * @param obstacle why no bounds can be found on it, as it reads after "because"; null: they can
 */
public record SnapshotKey(List<KeyColumn> columns, @Nullable String obstacle) {

  public SnapshotKey {
    columns = List.copyOf(columns);
  }

  /** How chunks are planned on it; null: it can't be cut, the whole table is one chunk. */
  public @Nullable ChunkKind kind() {
    if (obstacle != null) {
      return null;
    }
    return columns.size() == 1 && columns.get(0).isInteger() ? ChunkKind.INT : ChunkKind.KEYSET;
  }

  /**
   * The columns named, or else those of the instance's unique index.
   *
   * @param captured the instance's captured columns
   * @param named option {@code snapshotKeys}; null: not set
   * @throws InvalidRequestException if one of them isn't captured, not on the table, or named twice
   */
  public static SnapshotKey of(
      CaptureInstance instance, List<CapturedColumn> captured, @Nullable List<String> named) {
    List<String> names = named == null ? instance.keyColumns() : named;
    if (names.isEmpty()) {
      return new SnapshotKey(
          List.of(),
          "CDC knows of no unique index of it. Option 'snapshotKeys' names columns to cut it on");
    }
    Map<String, CapturedColumn> columns = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      Optional<CapturedColumn> column = find(captured, name);
      if (column.isEmpty()) {
        unknown.add(name);
      } else if (columns.put(column.get().name(), column.get()) != null) {
        throw new InvalidRequestException(
            ErrorCode.INVALID_OPTION,
            "Invalid option 'snapshotKeys': it names column '"
                + column.get().name()
                + "' twice, name each once");
      }
    }
    if (!unknown.isEmpty() && named == null) {
      return new SnapshotKey(List.of(), "its key columns " + unknown + " aren't captured");
    }
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.UNKNOWN_COLUMN,
          "Unknown columns "
              + unknown
              + " in option 'snapshotKeys': captured and on the table are "
              + onTable(captured).map(CapturedColumn::name).collect(Collectors.joining(", ")));
    }
    return new SnapshotKey(
        columns.values().stream().map(KeyColumn::of).toList(), obstacle(columns.values().stream()));
  }

  /**
   * CDC's own key, where the table's rows come in its order and it is read with them: a read that
   * breaks can be resumed by it. None otherwise: a read of other columns is left the index that
   * holds them.
   */
  public static List<KeyColumn> order(
      CaptureInstance instance, List<CapturedColumn> captured, List<SelectColumn> selected) {
    SnapshotKey key = of(instance, captured, null);
    boolean isOrder =
        key.obstacle() == null
            && key.columns().stream()
                .allMatch(
                    column ->
                        find(captured, column.name()).orElseThrow().isClustered()
                            && selected.contains(
                                new SelectColumn(column.name(), SelectForm.COLUMN)));
    return isOrder ? key.columns() : List.of();
  }

  private static @Nullable String obstacle(Stream<CapturedColumn> columns) {
    return columns.map(SnapshotKey::obstacle).flatMap(Optional::stream).findFirst().orElse(null);
  }

  private static Optional<String> obstacle(CapturedColumn column) {
    KeyColumn key = KeyColumn.of(column);
    if (column.isEncrypted()) {
      return Optional.of("key column '" + column.name() + "' is under Always Encrypted");
    }
    if (column.isMasked()) {
      // bounds would be made up, and not in order
      return Optional.of("key column '" + column.name() + "' is under dynamic data masking");
    }
    return key.isSeekable()
        ? Optional.empty()
        : Optional.of(
            "no bounds can be found on key column '"
                + column.name()
                + "' of type "
                + column.type().name()
                + (column.type().name().endsWith("char") && !column.type().isLarge()
                    ? ", whose collation the login doesn't see"
                    : ""));
  }

  /** An exact match first, then the only one that differs in case. */
  private static Optional<CapturedColumn> find(List<CapturedColumn> captured, String name) {
    List<CapturedColumn> matches =
        onTable(captured).filter(column -> column.name().equalsIgnoreCase(name)).toList();
    return matches.stream()
        .filter(column -> matches.size() == 1 || column.name().equals(name))
        .findFirst();
  }

  private static Stream<CapturedColumn> onTable(List<CapturedColumn> captured) {
    return captured.stream().filter(CapturedColumn::isOnTable);
  }
}

package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.chunk.SnapshotKey;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.type.CapturedColumn;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a source table that a comparison may look at.
 *
 * @param captured those that have values on the table
 * @param unread names of those among them that option 'columns' leaves out
 */
record ComparedColumns(List<CapturedColumn> captured, List<String> unread) {

  static ComparedColumns of(Source source) {
    List<CapturedColumn> captured =
        source.server().capturedColumns(source.instance()).stream()
            .filter(CapturedColumn::isOnTable)
            .filter(column -> !column.isComputed())
            .toList();
    List<String> read = source.frames().columns();
    return new ComparedColumns(
        captured,
        captured.stream()
            .map(CapturedColumn::name)
            .filter(name -> read.stream().noneMatch(name::equalsIgnoreCase))
            .toList());
  }

  /** Names of those that are read. */
  List<String> names() {
    return captured.stream()
        .map(CapturedColumn::name)
        .filter(name -> !unread.contains(name))
        .toList();
  }

  /** What a reader of the result has to know of them. */
  List<String> notes() {
    return unread.isEmpty()
        ? List.of()
        : List.of(
            "columns that option 'columns' leaves out were not compared: "
                + String.join(", ", unread));
  }

  /**
   * What identifies a row.
   *
   * @param named columns; null: those of the unique index
   * @throws InvalidRequestException if there are none, or they aren't read
   */
  SnapshotKey key(CaptureInstance instance, @Nullable List<String> named) {
    if (named != null && named.isEmpty()) {
      throw Arguments.invalid(
          "Missing keys: .keys() names no column; give at least one, or leave it out");
    }
    List<String> unknown =
        named == null
            ? List.of()
            : named.stream()
                .filter(name -> captured.stream().noneMatch(c -> c.name().equalsIgnoreCase(name)))
                .toList();
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          ErrorCode.UNKNOWN_COLUMN,
          "Unknown columns "
              + unknown
              + " in keys: captured and on the table are "
              + captured.stream().map(CapturedColumn::name).collect(Collectors.joining(", ")));
    }
    SnapshotKey key = SnapshotKey.of(instance, captured, named);
    if (key.columns().isEmpty()) {
      throw Arguments.invalid(
          "Missing keys: CDC knows of no unique index of "
              + instance.description()
              + "; name the columns that identify a row with .keys(\"id\")");
    }
    key.columns().stream()
        .filter(column -> unread.contains(column.name()))
        .findFirst()
        .ifPresent(
            column -> {
              throw Arguments.invalid(
                  "Invalid key '"
                      + column.name()
                      + "': option 'columns' leaves it out; list it there, or name other columns"
                      + " with .keys(…)");
            });
    return key;
  }
}

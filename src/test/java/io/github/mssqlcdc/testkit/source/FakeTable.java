package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.keyrange.TablePart;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.sqlserver.KeySeek;
import io.github.mssqlcdc.sqlserver.SliceCount;
import io.github.mssqlcdc.sqlserver.SliceGrid;
import io.github.mssqlcdc.type.SelectColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The source table of a fake: ids with their names. Keys are compared by the leading column. */
final class FakeTable {
  private final NavigableMap<Integer, String> rows = new TreeMap<>();

  void put(int id, String name) {
    rows.put(id, name);
  }

  void remove(int id) {
    rows.remove(id);
  }

  NavigableMap<Integer, String> rows() {
    return new TreeMap<>(rows);
  }

  List<KeyExtent> extents(List<KeyRange> ranges) {
    return ranges.stream()
        .map(range -> rows.keySet().stream().filter(id -> contains(range, id)).toList())
        .filter(ids -> !ids.isEmpty())
        .map(ids -> new KeyExtent(ids.get(0), ids.get(ids.size() - 1)))
        .toList();
  }

  Optional<KeyBound> seek(KeySeek seek) {
    long from = seek.from() == null ? Long.MIN_VALUE : id(seek.from(), Long.MIN_VALUE);
    long through = seek.through() == null ? Long.MAX_VALUE : id(seek.through(), Long.MIN_VALUE);
    return rows.keySet().stream()
        .filter(id -> id >= from && id <= through)
        .skip(seek.rows())
        .findFirst()
        .map(id -> bound(seek.columns(), id));
  }

  KeyEnds ends(List<KeyColumn> columns) {
    if (rows.isEmpty()) {
      return new KeyEnds(null, null);
    }
    boolean isInteger = columns.size() == 1 && columns.get(0).isInteger();
    return new KeyEnds(
        isInteger ? bound(columns, rows.firstKey()) : null, bound(columns, rows.lastKey()));
  }

  List<SliceCount> count(SliceGrid grid) {
    Map<Long, List<Integer>> slices =
        rows.keySet().stream()
            .filter(id -> id >= grid.first() && id <= grid.last())
            .collect(
                Collectors.groupingBy(
                    id -> (id - grid.first()) / grid.width(), TreeMap::new, Collectors.toList()));
    return slices.entrySet().stream()
        .map(
            slice -> {
              List<Integer> ids = slice.getValue();
              return new SliceCount(
                  slice.getKey(), ids.size(), ids.get(0), ids.get(ids.size() - 1));
            })
        .toList();
  }

  List<Object[]> read(List<SelectColumn> columns, TablePart part) {
    if (!part.filters().isEmpty()) {
      throw new UnsupportedOperationException("Only a server decides " + part.filters());
    }
    List<Object[]> read = new ArrayList<>();
    rows.forEach(
        (id, name) -> {
          if (part.range() == null || contains(part.range(), id)) {
            read.add(columns.stream().map(c -> c.name().equals("id") ? id : name).toArray());
          }
        });
    int limit = part.limit() == null ? read.size() : Math.min(part.limit(), read.size());
    return read.subList(0, limit);
  }

  private static KeyBound bound(List<KeyColumn> columns, int id) {
    return new KeyBound(
        columns.stream()
            .map(column -> column.name().equals("id") ? Integer.toString(id) : "row " + id)
            .toList());
  }

  private static boolean contains(KeyRange range, int id) {
    return (range.lo() == null || id >= id(range.lo(), Long.MIN_VALUE))
        && (range.hi() == null || id < id(range.hi(), Long.MAX_VALUE));
  }

  private static long id(KeyBound bound, long absent) {
    String value = bound.values().get(0);
    return value == null ? absent : Long.parseLong(value);
  }
}

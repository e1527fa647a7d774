package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.type.SelectColumn;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The change table of a fake, whose commits have their times in its LSN map. */
final class FakeChanges {
  /** Columns before the captured ones. */
  private static final int HEADER = 5;

  private static final int TIME = 4;

  /** Change rows by position: the row as the port gives it, captured columns last. */
  private final NavigableMap<ChangePosition, Object[]> rows = new TreeMap<>();

  private final NavigableMap<Lsn, LocalDateTime> map;

  FakeChanges(NavigableMap<Lsn, LocalDateTime> map) {
    this.map = map;
  }

  void add(ChangePosition position, int id, String name) {
    rows.put(
        position,
        new Object[] {
          position.commit().bytes(),
          position.commandId(),
          position.seqval().bytes(),
          position.operation(),
          map.get(position.commit()),
          id,
          name
        });
  }

  /** Gives the rows the times that the map has now. */
  void takeTimes() {
    rows.forEach((position, row) -> row[TIME] = map.get(position.commit()));
  }

  void purge(Lsn mark) {
    rows.keySet().removeIf(position -> position.commit().isBefore(mark));
  }

  void clear() {
    rows.clear();
  }

  /** Where the rows of the commits in (after, through] are. */
  List<ChangePosition> positions(Lsn after, Lsn through) {
    return rows.keySet().stream()
        .filter(p -> p.commit().isAfter(after) && !p.commit().isAfter(through))
        .toList();
  }

  List<Object[]> read(ChangeRange range, List<SelectColumn> columns) {
    return rows.entrySet().stream()
        .filter(entry -> Tiles.contains(range, entry.getKey()))
        .map(entry -> picked(entry.getValue(), columns))
        .toList();
  }

  /** How far the commits after this one go within the limits. */
  Reach reach(Lsn after, HeadLimits limits) {
    MapEntry end = null;
    long commits = 0;
    long found = 0;
    for (Map.Entry<Lsn, LocalDateTime> entry : map.tailMap(after, false).entrySet()) {
      long of = rows.keySet().stream().filter(p -> p.commit().equals(entry.getKey())).count();
      boolean beyond =
          (limits.through() != null && entry.getKey().isAfter(limits.through()))
              || (limits.maxCommits() != null && commits == limits.maxCommits())
              || (limits.maxRows() != null && found > 0 && found + of > limits.maxRows());
      if (beyond) {
        break;
      }
      commits++;
      found += of;
      end = new MapEntry(entry.getKey(), entry.getValue());
    }
    return new Reach(end, found);
  }

  private static Object[] picked(Object[] row, List<SelectColumn> columns) {
    Object[] picked = new Object[HEADER + columns.size()];
    System.arraycopy(row, 0, picked, 0, HEADER);
    for (int i = 0; i < columns.size(); i++) {
      picked[HEADER + i] = columns.get(i).name().equals("id") ? row[HEADER] : row[HEADER + 1];
    }
    return picked;
  }

  /**
   * @param end the last commit; null if there is none
   * @param rows of the table in these commits
   */
  record Reach(@Nullable MapEntry end, long rows) {}
}

package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.sqlserver.ChangePlan.Tile;
import io.github.mssqlcdc.sqlserver.TileLimits;
import java.util.ArrayList;
import java.util.List;

/** What the planning statement answers, of rows in memory. */
public final class Tiles {
  private Tiles() {}

  /**
   * @param rows in order
   */
  public static List<Tile> of(List<ChangePosition> rows, TileLimits limits) {
    int count = (int) Math.max(1, Math.min(limits.most(), rows.size() / limits.floor()));
    List<Integer> starts = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      if ((long) row * count % rows.size() < count) {
        starts.add(row);
      }
    }
    List<Tile> tiles = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      int start = starts.get(i);
      int end = i + 1 < starts.size() ? starts.get(i + 1) : rows.size();
      ChangePosition first = rows.get(start);
      long begun =
          rows.subList(0, start).stream().filter(p -> p.commit().equals(first.commit())).count();
      tiles.add(new Tile(first, end - start, begun));
    }
    return tiles;
  }

  /** Whether a range holds a position. */
  public static boolean contains(ChangeRange range, ChangePosition position) {
    boolean begun =
        range.from() == null
            ? position.commit().isAfter(range.after())
            : position.compareTo(range.from()) >= 0;
    boolean ended =
        range.before() == null
            ? position.commit().isAfter(range.through())
            : position.compareTo(range.before()) >= 0;
    return begun && !ended;
  }
}

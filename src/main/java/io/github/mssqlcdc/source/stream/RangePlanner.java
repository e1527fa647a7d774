package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ChangePlan.Tile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a batch into contiguous ranges along tiles of counted rows. The same tiles give the same
 * ranges.
 *
 * @param floor rows that a range holds at least, unless the batch has fewer
 */
record RangePlanner(long floor) {
  static final long DEFAULT_FLOOR = 50_000;

  /**
   * @param tiles in order; those that begin at or below {@code after} belong to the first range
   * @return ranges that cover (after, through], no more of them than tiles; none without tiles
   */
  List<ChangeRange> plan(Lsn after, Lsn through, List<Tile> tiles) {
    if (tiles.isEmpty()) {
      return List.of();
    }
    List<ChangeRange> ranges = new ArrayList<>();
    Edge begin = new Edge(after, null);
    long rows = 0;
    long rest = tiles.stream().mapToLong(Tile::rows).sum();
    for (Tile tile : tiles) {
      Edge cut = Edge.before(tile.first());
      // a cut before the commit leaves what has begun of it to the next range
      long moved = cut.from == null ? tile.begun() : 0;
      if (rows - moved >= floor && rest + moved >= floor && cut.isAfter(begin)) {
        ranges.add(begin.to(cut));
        begin = cut;
        rows = moved;
      }
      rows += tile.rows();
      rest -= tile.rows();
    }
    ranges.add(new ChangeRange(begin.after, begin.from, through, null));
    return ranges;
  }

  /**
   * Where one range ends and the next begins.
   *
   * @param after the next one's commits are after this
   * @param from its first row, where it begins inside a commit; null: at a commit's first row
   */
  private record Edge(Lsn after, @Nullable ChangePosition from) {

    /** Rows without command ids have no order of their own in their commit: cut before it. */
    static Edge before(ChangePosition first) {
      return new Edge(first.commit().previous(), first.commandId() == null ? null : first);
    }

    boolean isAfter(Edge other) {
      int byLsn = after.compareTo(other.after);
      if (byLsn != 0 || from == null) {
        return byLsn > 0;
      }
      return other.from == null || from.compareTo(other.from) > 0;
    }

    ChangeRange to(Edge end) {
      return end.from == null
          ? new ChangeRange(after, from, end.after, null)
          : new ChangeRange(after, from, end.from.commit(), end.from);
    }
  }
}

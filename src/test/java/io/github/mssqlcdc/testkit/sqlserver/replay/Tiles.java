package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;

/**
 * The first rows of a batch's tiles, as the library's plan asks for them.
 *
 * @param most tiles wanted
 * @param floor fewest rows of a tile, where there are more than one
 */
record Tiles(ReplayRead batch, long most, long floor) implements ReplayPlan.Rows {
  @Override
  public long count() {
    long rows = batch.count();
    return rows == 0 ? 0 : rows < 2 * floor ? 1 : Math.min(most, rows / floor);
  }

  @Override
  public long send(ResponseSink out) {
    long tiles = count();
    for (long tile = 0; tile < tiles; tile++) {
      long place = (tile * batch.count() + tiles - 1) / tiles;
      if (!out.row(start(batch.from() + place, place + 1))) {
        return tile;
      }
    }
    return tiles;
  }

  private Object[] start(long row, long place) {
    Commits commits = batch.table().commits();
    long firstOfCommit = Math.max(batch.from(), commits.firstOf(commits.commitOf(row)));
    return new Object[] {
      commits.lsnOf(row),
      commits.commandId(row),
      Commits.seqval(row),
      RowValues.INSERT,
      place,
      firstOfCommit - batch.from() + 1
    };
  }
}

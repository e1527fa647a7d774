package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.ChangePlan.Tile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangePlannerTest {
  private static final Lsn AFTER = lsn(0);
  private static final Lsn THROUGH = lsn(100);

  @Test
  void plansNothingWithoutRows() {
    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, List.of())).isEmpty();
  }

  @Test
  void readsAFewRowsInOneRange() {
    List<Tile> tiles = List.of(tile(1, 1, 5), tile(2, 1, 5));

    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, tiles))
        .containsExactly(ChangeRange.commits(AFTER, THROUGH));
  }

  @Test
  void mergesTilesUpToTheFloorAndATailBelowItIntoTheRangeBefore() {
    List<Tile> tiles = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      tiles.add(tile(10 * i, 1, 4));
    }

    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, tiles))
        .containsExactly(
            new ChangeRange(AFTER, null, lsn(40), position(40, 1)),
            new ChangeRange(lsn(40).previous(), position(40, 1), THROUGH, null));
  }

  @Test
  void readsALargeBatchInAsManyRangesAsTiles() {
    List<Tile> tiles = List.of(tile(1, 1, 51), tile(2, 1, 50), tile(3, 1, 50), tile(4, 1, 50));

    assertThat(new RangePlanner(50).plan(AFTER, THROUGH, tiles)).hasSize(4);
  }

  @Test
  void cutsInsideACommit() {
    List<Tile> tiles = List.of(tile(5, 1, 10), tile(5, 2, 10), tile(5, 3, 10));

    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, tiles))
        .containsExactly(
            new ChangeRange(AFTER, null, lsn(5), position(5, 2)),
            new ChangeRange(lsn(5).previous(), position(5, 2), lsn(5), position(5, 3)),
            new ChangeRange(lsn(5).previous(), position(5, 3), THROUGH, null));
  }

  @Test
  void cutsBeforeACommitWithoutCommandIds() {
    ChangePosition inside = new ChangePosition(lsn(5), null, lsn(7), 2);
    List<Tile> tiles = List.of(tile(1, 1, 10), new Tile(inside, 10, 0), new Tile(inside, 10, 10));

    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, tiles))
        .containsExactly(
            ChangeRange.commits(AFTER, lsn(5).previous()),
            ChangeRange.commits(lsn(5).previous(), THROUGH));
  }

  @Test
  void countsWhatACutBeforeACommitLeavesToTheNextRange() {
    ChangePosition inside = new ChangePosition(lsn(5), null, lsn(7), 2);
    // of the first tile 4 rows are the commit's: 6 would be too few for a range
    List<Tile> tiles = List.of(tile(1, 1, 10), new Tile(inside, 10, 4), tile(6, 1, 10));

    assertThat(new RangePlanner(10).plan(AFTER, THROUGH, tiles))
        .containsExactly(
            new ChangeRange(AFTER, null, lsn(6), position(6, 1)),
            new ChangeRange(lsn(6).previous(), position(6, 1), THROUGH, null));
  }

  @Test
  void keepsTilesBelowASkippedStartInTheFirstRange() {
    List<Tile> tiles = List.of(tile(1, 1, 10), tile(2, 1, 10), tile(50, 1, 10));

    assertThat(new RangePlanner(10).plan(lsn(30), THROUGH, tiles))
        .containsExactly(
            new ChangeRange(lsn(30), null, lsn(50), position(50, 1)),
            new ChangeRange(lsn(50).previous(), position(50, 1), THROUGH, null));
  }

  private static Tile tile(int commit, int command, long rows) {
    return new Tile(position(commit, command), rows, 0);
  }

  private static ChangePosition position(int commit, int command) {
    return new ChangePosition(lsn(commit), command, lsn(1), 2);
  }

  private static Lsn lsn(int number) {
    return new Lsn(number, 0);
  }
}

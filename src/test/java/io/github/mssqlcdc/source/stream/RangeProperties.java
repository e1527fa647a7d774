package io.github.mssqlcdc.source.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.TileLimits;
import io.github.mssqlcdc.testkit.source.ChangeTables;
import io.github.mssqlcdc.testkit.source.ChangeTables.CommandIds;
import io.github.mssqlcdc.testkit.source.Tiles;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Ranges planned over random change tables. */
class RangeProperties {
  private static final Lsn AFTER = Lsn.ZERO;
  private static final Lsn THROUGH = new Lsn(100, 0);

  @Property
  void rangesGiveTheChangeTableOnceAndInOrder(
      @ForAll("tables") List<ChangePosition> rows,
      @ForAll @IntRange(min = 1, max = 9) int most,
      @ForAll @IntRange(min = 1, max = 25) int floor) {
    List<ChangeRange> ranges = plan(rows, most, floor);

    assertThat(ranges.stream().flatMap(range -> in(range, rows).stream())).isEqualTo(rows);
    assertThat(ranges).hasSizeLessThanOrEqualTo(most);
    assertThat(plan(rows, most, floor)).as("a replay").isEqualTo(ranges);
  }

  @Property
  void eachRangeBeginsWhereTheOneBeforeEnds(
      @ForAll("tables") List<ChangePosition> rows,
      @ForAll @IntRange(min = 1, max = 9) int most,
      @ForAll @IntRange(min = 1, max = 25) int floor) {
    List<ChangeRange> ranges = plan(rows, most, floor);

    for (int i = 1; i < ranges.size(); i++) {
      ChangeRange before = ranges.get(i - 1);
      ChangeRange next = ranges.get(i);
      assertThat(next.from()).isEqualTo(before.before());
      if (next.from() == null) {
        assertThat(next.after()).isEqualTo(before.through());
      } else {
        assertThat(next.from().commandId()).as("a cut inside a commit").isNotNull();
      }
    }
    if (!ranges.isEmpty()) {
      assertThat(ranges.get(0).after()).isEqualTo(AFTER);
      assertThat(ranges.get(ranges.size() - 1).through()).isEqualTo(THROUGH);
    }
  }

  @Property
  void rangesAreEqualToARowWhereCommitsMayBeCut(
      @ForAll("tablesOfToday") List<ChangePosition> rows,
      @ForAll @IntRange(min = 1, max = 9) int most,
      @ForAll @IntRange(min = 1, max = 25) int floor) {
    List<Integer> sizes = sizes(plan(rows, most, floor), rows);

    if (!sizes.isEmpty()) {
      assertThat(Collections.max(sizes) - Collections.min(sizes)).isLessThanOrEqualTo(1);
      assertThat(sizes).hasSize(Math.max(1, Math.min(most, rows.size() / floor)));
    }
  }

  @Property
  void noRangeIsBelowTheFloorNorLargerThanItsCommitsMakeIt(
      @ForAll("tables") List<ChangePosition> rows,
      @ForAll @IntRange(min = 1, max = 9) int most,
      @ForAll @IntRange(min = 1, max = 25) int floor) {
    List<Integer> sizes = sizes(plan(rows, most, floor), rows);

    int tile = Math.max(floor, (rows.size() + most - 1) / most);
    assertThat(sizes)
        .allSatisfy(
            size ->
                assertThat(size)
                    .isGreaterThanOrEqualTo(Math.min(floor, rows.size()))
                    .isLessThanOrEqualTo(2 * tile + floor + 2 * largestWithoutIds(rows)));
  }

  @Provide
  Arbitrary<List<ChangePosition>> tables() {
    return Arbitraries.of(CommandIds.class).flatMap(ChangeTables::of);
  }

  @Provide
  Arbitrary<List<ChangePosition>> tablesOfToday() {
    return ChangeTables.of(CommandIds.ALL);
  }

  private static List<ChangeRange> plan(List<ChangePosition> rows, int most, int floor) {
    return new RangePlanner(floor)
        .plan(AFTER, THROUGH, Tiles.of(rows, new TileLimits(most, floor)));
  }

  private static List<ChangePosition> in(ChangeRange range, List<ChangePosition> rows) {
    return rows.stream().filter(row -> Tiles.contains(range, row)).toList();
  }

  private static List<Integer> sizes(List<ChangeRange> ranges, List<ChangePosition> rows) {
    return ranges.stream().map(range -> in(range, rows).size()).toList();
  }

  private static int largestWithoutIds(List<ChangePosition> rows) {
    return rows.stream()
        .filter(row -> row.commandId() == null)
        .collect(Collectors.groupingBy(ChangePosition::commit, Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .max()
        .orElse(0);
  }
}

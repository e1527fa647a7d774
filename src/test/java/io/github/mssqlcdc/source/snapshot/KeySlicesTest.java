package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.type.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeySlicesTest {
  private static final KeyColumn ID = new KeyColumn("id", new SqlType("bigint", 0, 0, 0), null);
  private static final KeySlices SLICES = new KeySlices(ID);

  @Test
  void cutsTheExtentUniformly() {
    assertThat(SLICES.uniform(List.of(new KeyExtent(0, 9)), 4))
        .containsExactly(slice(null, 2L), slice(2L, 5L), slice(5L, 7L), slice(7L, null));
  }

  @Test
  void readsAnEmptyTableInOneSlice() {
    assertThat(SLICES.uniform(List.of(), 4)).containsExactly(slice(null, null));
  }

  @Test
  void gapsDoNotCount() {
    assertThat(SLICES.uniform(List.of(new KeyExtent(0, 4), new KeyExtent(1000, 1004)), 4))
        .containsExactly(
            slice(null, 2L), slice(2L, 1000L), slice(1000L, 1002L), slice(1002L, null));
  }

  @Property
  void coversEachKeyOnce(
      @ForAll long a,
      @ForAll long b,
      @ForAll long key,
      @ForAll @IntRange(min = 1, max = 50) int n) {
    List<KeyRange> slices =
        SLICES.uniform(List.of(new KeyExtent(Math.min(a, b), Math.max(a, b))), n);

    assertThat(slices).hasSizeLessThanOrEqualTo(n);
    assertThat(slices.stream().filter(slice -> contains(slice, key))).hasSize(1);
  }

  /** Runs of keys without gaps, anywhere in the type: reseeded identities, values far out. */
  @Property(tries = 300)
  void noSliceHasTwiceItsShareOfRowsHoweverWideTheGaps(
      @ForAll @Size(min = 1, max = 6) List<@From("starts") Long> starts,
      @ForAll @IntRange(min = 100, max = 400) int length,
      @ForAll @IntRange(min = 1, max = 12) int n) {
    NavigableSet<Long> keys = new TreeSet<>();
    starts.forEach(start -> LongStream.range(0, length).forEach(i -> keys.add(start + i)));
    List<Integer> pieces = new ArrayList<>();

    List<KeyRange> slices =
        SLICES.uniform(SLICES.dense(keys.size(), ranges -> look(keys, ranges, pieces)), n);

    assertThat(slices).hasSize(n);
    assertThat(slices.stream().mapToLong(slice -> rows(keys, slice)).sum()).isEqualTo(keys.size());
    assertThat(slices)
        .allSatisfy(
            slice -> assertThat(rows(keys, slice)).isLessThanOrEqualTo(2L * (keys.size() / n + 1)));
    assertThat(pieces).hasSizeLessThanOrEqualTo(13).allMatch(count -> count <= 256);
  }

  @Test
  void gapsWithinGapsDoNotCountEither() {
    NavigableSet<Long> keys = new TreeSet<>();
    for (long start = 1; start > 0 && start < Long.MAX_VALUE / 50; start *= 40) {
      long first = start;
      LongStream.range(0, 10).forEach(i -> keys.add(first + i));
    }

    List<KeyRange> slices =
        SLICES.uniform(
            SLICES.dense(keys.size(), ranges -> look(keys, ranges, new ArrayList<>())), 4);

    assertThat(slices)
        .hasSize(4)
        .allSatisfy(slice -> assertThat(rows(keys, slice)).isLessThanOrEqualTo(keys.size() / 2));
  }

  @Provide
  static Arbitrary<Long> starts() {
    return Arbitraries.oneOf(
        Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE - 400, -200L, 0L, 1_000_000_000L),
        Arbitraries.longs().lessOrEqual(Long.MAX_VALUE - 400));
  }

  @Test
  void keysThatAreSparseEverywhereAreCutUniformlyAfterOneMoreLook() {
    NavigableSet<Long> keys = new TreeSet<>();
    LongStream.range(0, 1000).forEach(i -> keys.add(i * 1_000_000));
    List<Integer> looks = new ArrayList<>();

    List<KeyExtent> extents = SLICES.dense(keys.size(), ranges -> look(keys, ranges, looks));

    assertThat(looks).containsExactly(1, 64);
    assertThat(SLICES.uniform(extents, 4))
        .allSatisfy(slice -> assertThat(rows(keys, slice)).isBetween(200L, 300L));
  }

  private static List<KeyExtent> look(
      NavigableSet<Long> keys, List<KeyRange> ranges, List<Integer> pieces) {
    pieces.add(ranges.size());
    List<KeyExtent> extents = new ArrayList<>();
    for (KeyRange range : ranges) {
      NavigableSet<Long> found = within(keys, range);
      if (!found.isEmpty()) {
        extents.add(new KeyExtent(found.first(), found.last()));
      }
    }
    return extents;
  }

  private static long rows(NavigableSet<Long> keys, KeyRange range) {
    return within(keys, range).size();
  }

  private static NavigableSet<Long> within(NavigableSet<Long> keys, KeyRange range) {
    NavigableSet<Long> above = range.lo() == null ? keys : keys.tailSet(value(range.lo()), true);
    return range.hi() == null ? above : above.headSet(value(range.hi()), false);
  }

  private static KeyRange slice(@Nullable Long lo, @Nullable Long hi) {
    return new KeyRange(List.of(ID), bound(lo), bound(hi));
  }

  private static @Nullable KeyBound bound(@Nullable Long value) {
    return value == null ? null : KeyBound.of(value.toString());
  }

  private static boolean contains(KeyRange slice, long key) {
    return (slice.lo() == null || key >= value(slice.lo()))
        && (slice.hi() == null || key < value(slice.hi()));
  }

  private static long value(KeyBound bound) {
    return Long.parseLong(bound.values().get(0));
  }
}

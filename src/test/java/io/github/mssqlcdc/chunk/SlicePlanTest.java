package io.github.mssqlcdc.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.sqlserver.SliceCount;
import io.github.mssqlcdc.sqlserver.SliceGrid;
import io.github.mssqlcdc.type.SqlType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Against a table in memory: a list of values in ascending order. */
class SlicePlanTest {
  private static final KeyColumn ID = new KeyColumn("id", new SqlType("bigint", 0, 0, 0), null);

  private final List<SliceGrid> asked = new ArrayList<>();

  @Test
  void aDenseClusterIsSplitAndWhatIsSparseJoinsItsNeighbours() {
    List<Long> values =
        LongStream.concat(
                LongStream.range(0, 1000),
                LongStream.concat(
                    LongStream.rangeClosed(1, 50).map(i -> i * 10_000),
                    LongStream.of(Long.MAX_VALUE - 7)))
            .boxed()
            .toList();

    List<PlannedChunk> chunks = plan(values, values.size(), 100);

    assertThat(asked.stream().skip(1).map(SliceGrid::width)).containsExactly(2977L, 7L);
    assertThat(chunks.stream().map(PlannedChunk::rows))
        .containsExactly(98L, 98L, 98L, 98L, 98L, 98L, 98L, 98L, 98L, 98L, 71L);
    assertThat(held(chunks, values)).containsExactlyElementsOf(rows(chunks));
  }

  @Test
  void oneCountIsEnoughForEvenKeysAndBoundsAreOfTheGrid() {
    List<PlannedChunk> chunks = plan(LongStream.rangeClosed(1, 8).boxed().toList(), 8, 2);

    assertThat(asked).containsExactly(new SliceGrid(ID, 1, 8, 1));
    assertThat(chunks.stream().map(chunk -> chunk.range().lo()))
        .containsExactly(null, KeyBound.of("3"), KeyBound.of("5"), KeyBound.of("7"));
    assertThat(chunks.stream().map(chunk -> chunk.range().hi()))
        .containsExactly(KeyBound.of("3"), KeyBound.of("5"), KeyBound.of("7"), KeyBound.of("9"));
    assertThat(chunks.stream().map(PlannedChunk::isLast))
        .containsExactly(false, false, false, true);
    assertThat(chunks.stream().map(PlannedChunk::number)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void theLastBoundLiesBehindTheLargestBigint() {
    List<PlannedChunk> chunks = plan(List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE), 4, 2);

    assertThat(rows(chunks)).containsExactly(2L, 2L);
    assertThat(chunks.get(1).range().hi()).isEqualTo(KeyBound.of("9223372036854775808"));
  }

  @Test
  void noCountHasMoreThanAHundredThousandSlices() {
    plan(LongStream.range(0, 250_000).boxed().toList(), 250_000, 16);

    assertThat(asked.stream().map(SliceGrid::first)).containsExactly(0L, 100_000L, 200_000L);
    assertThat(asked.stream().map(SliceGrid::last)).containsExactly(99_999L, 199_999L, 249_999L);
  }

  @Test
  void aHundredThousandChunksArePlannedFromAFewCounts() {
    List<PlannedChunk> chunks =
        new SlicePlan(
                ID,
                1_000_000,
                grid -> {
                  asked.add(grid);
                  // a row for each value
                  List<SliceCount> counts = new ArrayList<>();
                  for (long lo = grid.first(); lo <= grid.last(); lo += grid.width()) {
                    long hi = Math.min(grid.last(), lo + grid.width() - 1);
                    counts.add(
                        new SliceCount((lo - grid.first()) / grid.width(), hi - lo + 1, lo, hi));
                  }
                  return counts;
                })
            .chunks(1, 100_000_000_000L, 100_000_000_000L);

    assertThat(chunks).hasSize(100_000).allMatch(chunk -> Objects.equals(chunk.rows(), 1_000_000L));
    assertThat(asked).hasSize(16);
  }

  @Test
  void moreThanAMillionChunksAreRefused() {
    SlicePlan plan =
        new SlicePlan(
            ID,
            1,
            grid ->
                LongStream.rangeClosed(grid.first(), grid.last())
                    .mapToObj(id -> new SliceCount(id - grid.first(), 1, id, id))
                    .toList());

    assertThatThrownBy(() -> plan.chunks(1, 2_000_000, 2_000_000))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Invalid chunkRows 1: the table would have more than 1000000 chunks; give more rows to"
                + " a chunk");
  }

  @Test
  void whatWasDeletedMeanwhileLeavesOneChunk() {
    List<PlannedChunk> chunks = new SlicePlan(ID, 10, grid -> List.of()).chunks(5, 900, 40);

    assertThat(chunks).hasSize(1);
    assertThat(chunks.get(0).range().lo()).isNull();
    assertThat(chunks.get(0).range().hi()).isEqualTo(KeyBound.of("901"));
    assertThat(chunks.get(0).rows()).isZero();
    assertThat(chunks.get(0).isLast()).isTrue();
  }

  @Property(tries = 300)
  void chunksTileTheValuesAndHoldNoMoreThanAskedFor(
      @ForAll @From("tables") List<Long> values,
      @ForAll @LongRange(max = 2_000) long estimate,
      @ForAll @IntRange(min = 1, max = 30) int chunkRows) {
    List<PlannedChunk> chunks = plan(values, estimate, chunkRows);

    requireTiles(chunks, values.get(values.size() - 1));
    assertThat(held(chunks, values)).isEqualTo(rows(chunks));
    for (int i = 0; i < chunks.size(); i++) {
      long rows = rows(chunks).get(i);
      assertThat(rows).isPositive();
      assertThat(rows <= chunkRows || isOneValue(chunks.get(i), values)).isTrue();
      if (i > 0) {
        assertThat(rows + rows(chunks).get(i - 1)).isGreaterThan(chunkRows);
      }
    }
  }

  @Property(tries = 300)
  void whateverTheServerCountsChunksTileTheValues(
      @ForAll @From("tables") List<Long> values,
      @ForAll @From("tables") List<Long> later,
      @ForAll @IntRange(min = 1, max = 30) int chunkRows) {
    long min = values.get(0);
    long max = values.get(values.size() - 1);
    List<List<Long>> tables = List.of(values, later);
    int[] turn = {0};

    List<PlannedChunk> chunks =
        new SlicePlan(ID, chunkRows, grid -> count(tables.get(turn[0]++ % 2), grid))
            .chunks(min, max, values.size());

    requireTiles(chunks, max);
  }

  @Provide
  static Arbitrary<List<Long>> tables() {
    Arbitrary<Long> start =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-1000, 1000),
            Arbitraries.longs(),
            Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L));
    Arbitrary<Stream<Long>> cluster =
        Combinators.combine(
                start,
                Arbitraries.integers().between(1, 150),
                Arbitraries.of(0L, 1L, 1L, 3L, 1000L, 1L << 40))
            .as(
                (from, size, step) ->
                    LongStream.range(0, size)
                        .mapToObj(
                            i ->
                                BigInteger.valueOf(step)
                                    .multiply(BigInteger.valueOf(i))
                                    .add(BigInteger.valueOf(from)))
                        .filter(value -> value.bitLength() < Long.SIZE)
                        .map(BigInteger::longValueExact));
    return cluster
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(all -> all.stream().flatMap(values -> values).sorted().toList());
  }

  private List<PlannedChunk> plan(List<Long> values, long estimate, long chunkRows) {
    asked.clear();
    return new SlicePlan(
            ID,
            chunkRows,
            grid -> {
              asked.add(grid);
              return count(values, grid);
            })
        .chunks(values.get(0), values.get(values.size() - 1), estimate);
  }

  private static List<SliceCount> count(List<Long> values, SliceGrid grid) {
    Map<Long, List<Long>> slices = new TreeMap<>();
    for (long value : values) {
      if (value >= grid.first() && value <= grid.last()) {
        long slice = Math.subtractExact(value, grid.first()) / grid.width();
        slices.computeIfAbsent(slice, unused -> new ArrayList<>()).add(value);
      }
    }
    assertThat(slices).hasSizeLessThanOrEqualTo(100_000);
    return slices.entrySet().stream()
        .map(
            slice -> {
              List<Long> of = slice.getValue();
              return new SliceCount(slice.getKey(), of.size(), of.get(0), of.get(of.size() - 1));
            })
        .toList();
  }

  private static void requireTiles(List<PlannedChunk> chunks, long max) {
    @Nullable KeyBound end = null;
    for (PlannedChunk chunk : chunks) {
      assertThat(chunk.range().lo()).isEqualTo(end);
      KeyBound hi = chunk.range().hi();
      assertThat(hi).isNotNull();
      if (end != null) {
        assertThat(value(hi)).isGreaterThan(value(end));
      }
      end = hi;
      assertThat(chunk.isLast()).isEqualTo(chunk.number() == chunks.size() - 1);
    }
    assertThat(value(end)).isEqualTo(BigInteger.valueOf(max).add(BigInteger.ONE));
  }

  private static List<Long> rows(List<PlannedChunk> chunks) {
    return chunks.stream().map(PlannedChunk::rows).toList();
  }

  private static List<Long> held(List<PlannedChunk> chunks, List<Long> values) {
    return chunks.stream()
        .map(chunk -> values.stream().filter(value -> contains(chunk, value)).count())
        .toList();
  }

  private static boolean isOneValue(PlannedChunk chunk, List<Long> values) {
    return values.stream().filter(value -> contains(chunk, value)).distinct().count() == 1;
  }

  private static boolean contains(PlannedChunk chunk, long value) {
    KeyBound lo = chunk.range().lo();
    KeyBound hi = chunk.range().hi();
    BigInteger number = BigInteger.valueOf(value);
    return (lo == null || number.compareTo(value(lo)) >= 0)
        && (hi == null || number.compareTo(value(hi)) < 0);
  }

  private static BigInteger value(@Nullable KeyBound end) {
    KeyBound bound = Objects.requireNonNull(end);
    return new BigInteger(String.valueOf(bound.values().get(0)));
  }
}

package io.github.mssqlcdc.keyrange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.type.SqlType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Against a server in memory whose order isn't Java's: NULLs first, no case, trailing blanks. */
class KeysetPlannerTest {
  private static final SqlType TEXT = new SqlType("varchar", 10, 0, 0);
  private static final List<KeyColumn> KEY =
      List.of(new KeyColumn("a", TEXT, "Latin1"), new KeyColumn("b", TEXT, "Latin1"));

  private static final Comparator<List<@Nullable String>> SERVER =
      Comparator.<List<@Nullable String>, @Nullable String>comparing(
              key -> folded(key.get(0)), Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(
              key -> folded(key.get(1)), Comparator.nullsFirst(Comparator.naturalOrder()));

  private final List<Long> asked = new ArrayList<>();

  @Test
  void tilesAreAsEqualAsTheyCanBe() {
    assertThat(sizes(5, 4)).containsExactly(2, 1, 1, 1);
    assertThat(sizes(8, 5)).containsExactly(2, 2, 2, 1, 1);
    assertThat(sizes(3, 7)).containsExactly(1, 1, 1);
    assertThat(sizes(0, 4)).containsExactly(0);
  }

  @Test
  void noMoreIsAskedThanOneTileForEachBound() {
    assertThat(sizes(1000, 4)).containsExactly(250, 250, 250, 250);
    assertThat(asked).containsExactly(250L, 250L, 250L);
  }

  @Property(tries = 500)
  void everyRowIsInOneRangeWhateverTheServerCounted(
      @ForAll @From("tables") List<List<@Nullable String>> rows,
      @ForAll @IntRange(max = 60) int counted,
      @ForAll @IntRange(min = 1, max = 9) int count) {
    List<KeyRange> ranges = plan(rows, counted, count);

    assertThat(ranges).hasSizeLessThanOrEqualTo(count);
    assertThat(asked).hasSizeLessThan(count);
    assertThat(rows)
        .allSatisfy(
            row -> assertThat(ranges.stream().filter(range -> contains(range, row))).hasSize(1));
    assertThat(ranges.get(0).lo()).isNull();
    assertThat(ranges.get(ranges.size() - 1).hi()).isNull();
  }

  /** The halves stand where they stand, and read as a character that stands before all others. */
  @Property(tries = 500)
  void everyRowIsInOneRangeThoughHalvesOfSurrogatePairsReadAsAnotherCharacter(
      @ForAll @From("halves") List<List<@Nullable String>> rows,
      @ForAll @IntRange(min = 1, max = 9) int count) {
    List<KeyRange> ranges = plan(rows, rows.size(), count);

    assertThat(rows)
        .allSatisfy(
            row -> assertThat(ranges.stream().filter(range -> contains(range, row))).hasSize(1));
  }

  @Provide
  static Arbitrary<List<List<@Nullable String>>> halves() {
    Arbitrary<String> value =
        Arbitraries.of("a", "a\uD800", "a\uDC00b", "\uD800", "b\uD83D", "b", "\uFFFD", "c");
    return Combinators.combine(value, Arbitraries.of("", "x", "\uD800"))
        .as((a, b) -> Arrays.<@Nullable String>asList(a, b))
        .list()
        .ofMaxSize(40);
  }

  @Property(tries = 300)
  void rangesOfDistinctKeysDifferByOneRowAtMost(
      @ForAll @From("tables") List<List<@Nullable String>> rows,
      @ForAll @IntRange(min = 1, max = 9) int count) {
    List<List<@Nullable String>> distinct = new ArrayList<>();
    rows.stream()
        .filter(row -> distinct.stream().noneMatch(other -> SERVER.compare(row, other) == 0))
        .forEach(distinct::add);

    List<Long> sizes =
        plan(distinct, distinct.size(), count).stream()
            .map(range -> distinct.stream().filter(row -> contains(range, row)).count())
            .sorted()
            .toList();

    assertThat(sizes.get(sizes.size() - 1) - sizes.get(0)).isLessThanOrEqualTo(1);
    assertThat(sizes).hasSize(Math.max(1, Math.min(count, distinct.size())));
  }

  @Provide
  static Arbitrary<List<List<@Nullable String>>> tables() {
    Arbitrary<@Nullable String> value =
        Arbitraries.of("a", "A", "a ", "b", "B", "ba", "c", "", "x", "X  ").injectNull(0.15);
    return Combinators.combine(value, value)
        .as((a, b) -> Arrays.<@Nullable String>asList(a, b))
        .list()
        .ofMaxSize(40);
  }

  private List<Integer> sizes(int rows, int count) {
    List<List<@Nullable String>> table = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      table.add(List.of(String.format(Locale.ROOT, "%04d", i), ""));
    }
    return plan(table, rows, count).stream()
        .map(range -> (int) table.stream().filter(row -> contains(range, row)).count())
        .toList();
  }

  private List<KeyRange> plan(List<List<@Nullable String>> rows, long counted, int count) {
    asked.clear();
    List<List<@Nullable String>> sorted = rows.stream().sorted(SERVER).toList();
    return KeysetPlanner.plan(
        KEY,
        counted,
        count,
        (from, skipped) -> {
          asked.add(skipped);
          // rows of the first key count as one
          List<List<@Nullable String>> after =
              sorted.stream()
                  .filter(row -> from == null || SERVER.compare(row, from.values()) > 0)
                  .toList();
          long place = from == null ? skipped : skipped - 1;
          return place < after.size()
              ? Optional.of(new KeyBound(read(after.get((int) place))))
              : Optional.empty();
        });
  }

  private static boolean contains(KeyRange range, List<@Nullable String> row) {
    Function<KeyBound, Integer> to = bound -> SERVER.compare(row, bound.values());
    return (range.lo() == null || to.apply(range.lo()) >= 0)
        && (range.hi() == null || to.apply(range.hi()) < 0);
  }

  /** As a client reads it. */
  private static List<@Nullable String> read(List<@Nullable String> key) {
    List<@Nullable String> read = new ArrayList<>();
    key.forEach(
        value -> read.add(value == null ? null : value.replaceAll("[\\uD800-\\uDFFF]", "\uFFFD")));
    return read;
  }

  private static @Nullable String folded(@Nullable String text) {
    return text == null
        ? null
        : text.toLowerCase(Locale.ROOT).stripTrailing().replace('\uFFFD', '\u0001');
  }
}

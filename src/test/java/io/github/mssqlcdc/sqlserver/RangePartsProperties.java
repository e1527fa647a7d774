package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.ChangePosition;
import io.github.mssqlcdc.lsn.ChangeRange;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.source.ChangeTables;
import io.github.mssqlcdc.testkit.source.ChangeTables.CommandIds;
import io.github.mssqlcdc.testkit.source.Tiles;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** The predicates of a range's parts, evaluated as the server does. */
class RangePartsProperties {
  private static final Pattern EQUALITIES =
      Pattern.compile(
          "(ct\\.\\[__\\$start_lsn] = @\\w+ AND )?(ct\\.\\[__\\$command_id] (= @\\w+|IS NULL)( AND"
              + " |$))?");

  /** A change table that isn't empty. */
  private record Table(CommandIds ids, List<ChangePosition> rows) {

    CaptureInstance instance() {
      CaptureInstance today =
          new CaptureInstance("t", "dbo", "t", 1, 2, Lsn.ZERO, LocalDateTime.MIN, List.of());
      return ids == CommandIds.NONE ? today.withoutCommandIds() : today;
    }

    /** From one row, or its commit, to before another, or to the end of that one's commit. */
    ChangeRange range(int i, int j, boolean isCutAtStart, boolean isCutAtEnd) {
      ChangePosition from = rows.get(Math.min(i % rows.size(), j % rows.size()));
      ChangePosition before = rows.get(Math.max(i % rows.size(), j % rows.size()));
      return new ChangeRange(
          from.commit().previous(),
          isCutAtStart ? from : null,
          before.commit(),
          isCutAtEnd ? before : null);
    }
  }

  @Property
  void partsGiveARangesRowsOnceAndInOrder(
      @ForAll("tables") Table table,
      @ForAll @IntRange(max = 300) int i,
      @ForAll @IntRange(max = 300) int j,
      @ForAll boolean isCutAtStart,
      @ForAll boolean isCutAtEnd) {
    ChangeRange range = table.range(i, j, isCutAtStart, isCutAtEnd);

    List<String> parts = RangeParts.of(table.instance(), range);

    assertThat(
            parts.stream()
                .flatMap(part -> table.rows().stream().filter(new Predicate(range, part)::isTrue)))
        .as("%s", parts)
        .isEqualTo(table.rows().stream().filter(row -> Tiles.contains(range, row)).toList());
  }

  @Property
  void eachPartIsOneSeekOfTheClusteredIndex(
      @ForAll("tables") Table table,
      @ForAll @IntRange(max = 300) int i,
      @ForAll @IntRange(max = 300) int j) {
    assertThat(RangeParts.of(table.instance(), table.range(i, j, true, true)))
        .allSatisfy(part -> assertThat(columnsCompared(part)).isLessThanOrEqualTo(1));
  }

  @Provide
  Arbitrary<Table> tables() {
    return Arbitraries.of(CommandIds.class)
        .flatMap(
            ids ->
                ChangeTables.of(ids)
                    .filter(rows -> !rows.isEmpty())
                    .map(rows -> new Table(ids, rows)));
  }

  /** Columns compared by range outside of parentheses, once leading equalities are taken away. */
  private static long columnsCompared(String part) {
    String rest = EQUALITIES.matcher(part).replaceFirst("").replaceAll(" AND \\(.*?\\)", "");
    assertThat(rest).doesNotContain("OR", "IS NULL", " = ");
    return rest.isEmpty()
        ? 0
        : List.of(rest.split(" AND ")).stream().map(atom -> atom.split(" ")[0]).distinct().count();
  }

  /** T-SQL of comparisons, AND and one level of OR; a comparison with NULL isn't true. */
  private record Predicate(ChangeRange range, String sql) {

    boolean isTrue(ChangePosition row) {
      List<String> groups = new ArrayList<>();
      String flat =
          Pattern.compile("\\((.*?)\\)")
              .matcher(sql)
              .replaceAll(
                  match -> {
                    groups.add(match.group(1));
                    return "#" + (groups.size() - 1);
                  });
      return List.of(flat.split(" AND ")).stream()
          .allMatch(
              term ->
                  term.startsWith("#")
                      ? List.of(groups.get(Integer.parseInt(term.substring(1))).split(" OR "))
                          .stream()
                          .anyMatch(atom -> holds(atom, row))
                      : holds(term, row));
    }

    private boolean holds(String atom, ChangePosition row) {
      String[] words = atom.split(" ");
      Comparable<?> left = column(words[0], row);
      if (words[1].equals("IS")) {
        return (left == null) == (words.length == 3);
      }
      if (left == null) {
        return false;
      }
      int order = compare(left, variable(words[2]));
      return switch (words[1]) {
        case "=" -> order == 0;
        case ">" -> order > 0;
        case ">=" -> order >= 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        default -> throw new IllegalArgumentException(atom);
      };
    }

    private static @Nullable Comparable<?> column(String name, ChangePosition row) {
      return switch (name) {
        case "ct.[__$start_lsn]" -> row.commit();
        case "ct.[__$command_id]" -> row.commandId();
        case "ct.[__$seqval]" -> row.seqval();
        case "ct.[__$operation]" -> row.operation();
        default -> throw new IllegalArgumentException(name);
      };
    }

    private Comparable<?> variable(String name) {
      if (name.equals("@after")) {
        return range.after();
      }
      if (name.equals("@through")) {
        return range.through();
      }
      ChangePosition position =
          Objects.requireNonNull(name.startsWith("@from") ? range.from() : range.before());
      return switch (name.substring(name.indexOf('_'))) {
        case "_lsn" -> position.commit();
        case "_command" -> Objects.requireNonNull(position.commandId());
        case "_seqval" -> position.seqval();
        case "_operation" -> position.operation();
        default -> throw new IllegalArgumentException(name);
      };
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compare(Comparable left, Comparable right) {
      return left.compareTo(right);
    }
  }
}

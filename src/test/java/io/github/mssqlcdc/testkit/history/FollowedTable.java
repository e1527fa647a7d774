package io.github.mssqlcdc.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a stream has left of a table.
 *
 * @param begin where the stream began
 * @param bronze change rows by their batch; those of a snapshot under -1
 * @param facts the rows of batches
 */
public record FollowedTable(Lsn begin, Map<Long, List<Change>> bronze, List<Fact> facts) {

  /** The facts of a batch. */
  public record Fact(long batch, long rows, Lsn end) {}

  private static final long SNAPSHOT = -1;

  private List<Change> changes() {
    return bronze.entrySet().stream()
        .filter(batch -> batch.getKey() != SNAPSHOT)
        .flatMap(batch -> batch.getValue().stream())
        .toList();
  }

  /** Every change after the begin is there, once, but for those that may be missing. */
  public void requireEachOnce(List<Change> all, Function<Lsn, Boolean> mayBeMissing) {
    Map<Change, Long> counts =
        changes().stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(counts)
        .as("changes that are there")
        .allSatisfy((change, count) -> assertThat(count).isEqualTo(1));
    List<Change> expected =
        all.stream().filter(change -> change.position().commit().isAfter(begin)).toList();
    assertThat(expected).as("changes that were made").containsAll(counts.keySet());
    assertThat(expected)
        .filteredOn(change -> !counts.containsKey(change))
        .as("changes that are missing from what began after %s with %s", begin, facts)
        .allMatch(change -> mayBeMissing.apply(change.position().commit()));
  }

  /** The latest image per key, deletes left out. */
  public Map<Integer, String> latest() {
    Map<Integer, Change> latest = new TreeMap<>();
    bronze.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(Change::position))
        .forEach(change -> latest.put(change.id(), change));
    Map<Integer, String> rows = new TreeMap<>();
    latest.forEach(
        (id, change) -> {
          int operation = change.position().operation();
          if (operation != 1 && operation != 3) {
            rows.put(id, change.name());
          }
        });
    return rows;
  }

  /** Every batch has its row, once, from the first to the last, with its count and its end. */
  public void requireFactsWithoutAHole(Lsn position) {
    List<Fact> ordered = facts.stream().sorted(Comparator.comparing(Fact::batch)).toList();
    assertThat(ordered).extracting(Fact::batch).as("facts").doesNotHaveDuplicates();
    for (int i = 0; i < ordered.size(); i++) {
      Fact fact = ordered.get(i);
      Lsn after = i == 0 ? begin : ordered.get(i - 1).end();
      List<Change> rows = bronze.getOrDefault(fact.batch(), List.of());
      assertThat(fact.batch()).as("facts %s", ordered).isEqualTo(i);
      assertThat(fact.rows()).as("rows in %s", fact).isEqualTo(rows.size());
      assertThat(rows)
          .as("rows of %s, which begins after %s", fact, after)
          .allMatch(
              row ->
                  row.position().commit().isAfter(after)
                      && !row.position().commit().isAfter(fact.end()));
    }
    assertThat(bronze.keySet().stream().filter(batch -> batch != SNAPSHOT))
        .as("batches without facts")
        .allMatch(batch -> batch < ordered.size());
    assertThat(ordered.isEmpty() ? begin : ordered.get(ordered.size() - 1).end())
        .as("the last end")
        .isEqualTo(position);
  }
}

package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.ColumnFilter;
import io.github.mssqlcdc.keyrange.ColumnFilter.Operator;
import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.type.SqlType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SeekSqlTest {
  private static final KeyColumn A = new KeyColumn("a", new SqlType("int", 0, 0, 0), null);
  private static final KeyColumn B =
      new KeyColumn("b]", new SqlType("varchar", 10, 0, 0), "Greek_CI_AS");

  @Test
  void theFirstBoundIsBehindThatManyRows() {
    Batch batch = seek(List.of(), null, 4);

    assertThat(batch.sql())
        .isEqualTo(
            """
            SELECT k.[a], k.[b]]] FROM (
            SELECT p.[a], p.[b]]] FROM (SELECT TOP (?) t.[a], t.[b]]]
            FROM [t] AS t
            ORDER BY t.[a], t.[b]]]) AS p
            ) AS k ORDER BY k.[a], k.[b]]]
            OFFSET ? ROWS FETCH NEXT 1 ROWS ONLY;
            """);
    assertThat(batch.values()).containsExactly(5L, 4L);
  }

  @Test
  void eachPieceAfterAKeyIsSoughtByItselfAndReadNoFurtherThanNeeded() {
    Batch batch = seek(List.of(), key("1", "x"), 4);

    assertThat(batch.sql())
        .isEqualTo(
            """
            SELECT k.[a], k.[b]]] FROM (
            SELECT p.[a], p.[b]]] FROM (SELECT TOP (?) t.[a], t.[b]]]
            FROM [t] AS t
            WHERE t.[a] = CAST(? AS int)
            AND t.[b]]] > CAST(? COLLATE Greek_CI_AS AS varchar(10))
            ORDER BY t.[a], t.[b]]]) AS p
            UNION ALL
            SELECT p.[a], p.[b]]] FROM (SELECT TOP (?) t.[a], t.[b]]]
            FROM [t] AS t
            WHERE t.[a] > CAST(? AS int)
            ORDER BY t.[a], t.[b]]]) AS p
            ) AS k ORDER BY k.[a], k.[b]]]
            OFFSET ? ROWS FETCH NEXT 1 ROWS ONLY;
            """);
    assertThat(batch.values()).containsExactly(4L, "1", "x", 4L, "1", 3L);
  }

  @Test
  void afterANullComesWhatIsNotNull() {
    assertThat(seek(List.of(), key(null, null), 1).sql())
        .contains("WHERE t.[a] IS NULL\nAND t.[b]]] IS NOT NULL\nORDER BY")
        .contains("WHERE t.[a] IS NOT NULL\nORDER BY");
  }

  @Test
  void rowsThatAreNotWantedDoNotCount() {
    Batch batch =
        seek(
            List.of(
                new ColumnFilter(A, Operator.IN, List.of("3", "4")),
                new ColumnFilter(A, Operator.IS_NOT_NULL, List.of())),
            key("1", "x"),
            2);

    assertThat(batch.sql())
        .contains(
            "WHERE t.[a] > CAST(? AS int)\n"
                + "AND t.[a] IN (CAST(? AS int), CAST(? AS int))\nAND t.[a] IS NOT NULL\nORDER BY");
    assertThat(batch.values()).containsExactly(2L, "1", "x", "3", "4", 2L, "1", "3", "4", 1L);
  }

  @Test
  void keysBehindTheLastOneThatCountsAreLeftOut() {
    Batch batch = new Batch();
    new SeekSql("[t]", new KeySeek(List.of(A, B), List.of(), key("1", "x"), key("9", null), 4))
        .addTo(batch);

    assertThat(batch.sql())
        .isEqualTo(
            """
            SELECT k.[a], k.[b]]] FROM (
            SELECT p.[a], p.[b]]] FROM (SELECT TOP (?) t.[a], t.[b]]]
            FROM [t] AS t
            WHERE t.[a] = CAST(? AS int)
            AND t.[b]]] > CAST(? COLLATE Greek_CI_AS AS varchar(10))
            AND (t.[a] < CAST(? AS int) OR t.[a] IS NULL OR (t.[a] = CAST(? AS int) AND t.[b]]] IS NULL))
            ORDER BY t.[a], t.[b]]]) AS p
            UNION ALL
            SELECT p.[a], p.[b]]] FROM (SELECT TOP (?) t.[a], t.[b]]]
            FROM [t] AS t
            WHERE t.[a] > CAST(? AS int)
            AND (t.[a] < CAST(? AS int) OR t.[a] IS NULL OR (t.[a] = CAST(? AS int) AND t.[b]]] IS NULL))
            ORDER BY t.[a], t.[b]]]) AS p
            ) AS k ORDER BY k.[a], k.[b]]]
            OFFSET ? ROWS FETCH NEXT 1 ROWS ONLY;
            """);
    assertThat(batch.values()).containsExactly(4L, "1", "x", "9", "9", 4L, "1", "9", "9", 3L);
  }

  private static Batch seek(List<ColumnFilter> filters, @Nullable KeyBound from, long rows) {
    Batch batch = new Batch();
    new SeekSql("[t]", new KeySeek(List.of(A, B), filters, from, rows)).addTo(batch);
    return batch;
  }

  private static KeyBound key(@Nullable String... values) {
    return new KeyBound(Arrays.asList(values));
  }
}

package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.type.SqlType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeySqlTest {
  private static final KeyColumn A = new KeyColumn("a]b", new SqlType("int", 0, 0, 0), null);
  private static final KeyColumn B =
      new KeyColumn("b", new SqlType("varchar", 10, 0, 0), "Greek_CI_AS");
  private static final KeyColumn C = new KeyColumn("c", new SqlType("binary", 2, 0, 0), null);

  @Test
  void aRangeThatIsOpenAtBothEndsHasNoCondition() {
    assertThat(where(List.of(A), null, null).sql()).isEmpty();
  }

  @Test
  void oneColumnIsComparedByItselfInItsOwnType() {
    Batch batch = where(List.of(A), bound("1"), bound("5"));

    assertThat(batch.sql())
        .isEqualTo("WHERE t.[a]]b] >= CAST(? AS int)\nAND t.[a]]b] < CAST(? AS int)\n");
    assertThat(batch.values()).containsExactly("1", "5");
  }

  @Test
  void nullsBelongToTheRangeThatIsOpenBelow() {
    assertThat(where(List.of(A), null, bound("5")).sql())
        .isEqualTo("WHERE (t.[a]]b] < CAST(? AS int) OR t.[a]]b] IS NULL)\n");
  }

  @Test
  void severalColumnsAreSoughtByTheLeadingOneAndComparedInTurn() {
    Batch batch = where(List.of(A, B), bound("1", "x"), bound("5", "y"));

    assertThat(batch.sql())
        .isEqualTo(
            "WHERE t.[a]]b] >= CAST(? AS int) AND (t.[a]]b] > CAST(? AS int)"
                + " OR (t.[a]]b] = CAST(? AS int)"
                + " AND t.[b] >= CAST(? COLLATE Greek_CI_AS AS varchar(10))))\n"
                + "AND t.[a]]b] <= CAST(? AS int) AND (t.[a]]b] < CAST(? AS int)"
                + " OR (t.[a]]b] = CAST(? AS int)"
                + " AND (t.[b] < CAST(? COLLATE Greek_CI_AS AS varchar(10)) OR t.[b] IS NULL)))\n");
    assertThat(batch.values()).containsExactly("1", "1", "1", "x", "5", "5", "5", "y");
  }

  @Test
  void aNullInABoundIsTheLowestValue() {
    assertThat(where(List.of(A, B), bound("1", null), bound(null, "y")).sql())
        .isEqualTo(
            "WHERE t.[a]]b] >= CAST(? AS int) AND (t.[a]]b] > CAST(? AS int)"
                + " OR (t.[a]]b] = CAST(? AS int) AND 1 = 1))\n"
                + "AND (t.[a]]b] IS NULL"
                + " AND (t.[b] < CAST(? COLLATE Greek_CI_AS AS varchar(10)) OR t.[b] IS NULL))\n");
    assertThat(where(List.of(A, B), null, bound("1", null)).sql()).contains("AND 1 = 0)");
    assertThat(where(List.of(A, B), bound(null, "x"), null).sql())
        .startsWith("WHERE (t.[a]]b] IS NOT NULL OR (t.[a]]b] IS NULL AND t.[b] >= ");
  }

  @Test
  void aBoundBehindTheTypesLastValueIsNotSentButDecidedHere() {
    KeyColumn big = new KeyColumn("k", new SqlType("bigint", 0, 0, 0), null);
    KeyBound end = bound("9223372036854775808");

    assertThat(where(List.of(big), bound("7"), end).sql())
        .isEqualTo("WHERE t.[k] >= CAST(? AS bigint)\nAND 1 = 1\n");
    assertThat(where(List.of(big), null, end).sql()).isEqualTo("WHERE (1 = 1 OR t.[k] IS NULL)\n");
    assertThat(where(List.of(big), end, null).sql()).isEqualTo("WHERE 1 = 0\n");
    assertThat(where(List.of(big, B), bound("7", "x"), bound("9223372036854775808", "y")).values())
        .containsExactly("7", "7", "7", "x", "y");
  }

  @Test
  void onlyKnownTypesEnterTheText() {
    assertThatThrownBy(() -> Where.type(new SqlType("int); DROP TABLE t --", 0, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Unsupported type of a key: int)");
    assertThat(Where.type(new SqlType("timestamp", 8, 0, 0))).isEqualTo("binary(8)");
    assertThat(Where.type(new SqlType("sysname", 128, 0, 0))).isEqualTo("nvarchar(128)");
    assertThat(Where.type(new SqlType("nvarchar", SqlType.MAX, 0, 0))).isEqualTo("nvarchar(max)");
    assertThat(Where.type(new SqlType("datetimeoffset", 0, 0, 7))).isEqualTo("datetimeoffset(7)");
    assertThat(Where.type(new SqlType("numeric", 0, 38, 4))).isEqualTo("numeric(38, 4)");
  }

  @Test
  void bytesAreBoundAsBytes() {
    Batch batch = where(List.of(C), bound("0x01AF"), null);

    assertThat(batch.sql()).isEqualTo("WHERE t.[c] >= CAST(? AS binary(2))\n");
    assertThat((byte[]) batch.values().get(0)).containsExactly(1, 0xAF);
  }

  private static Batch where(
      List<KeyColumn> columns, @Nullable KeyBound lo, @Nullable KeyBound hi) {
    Batch batch = new Batch();
    new Where("t").range(new KeyRange(columns, lo, hi)).addTo(batch);
    return batch;
  }

  private static KeyBound bound(@Nullable String... values) {
    return new KeyBound(Arrays.asList(values));
  }
}

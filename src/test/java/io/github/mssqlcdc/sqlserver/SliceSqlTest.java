package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.type.SqlType;
import org.junit.jupiter.api.Test;

class SliceSqlTest {
  private static final KeyColumn ID = new KeyColumn("i]d", new SqlType("int", 0, 0, 0), null);

  @Test
  void rowsAreCountedPerSliceInOneGroupByOverTheRangeOfTheGrid() {
    Batch batch = new Batch();
    SliceSql.addTo(batch, "[t]", new SliceGrid(ID, -5, 90, 7));

    assertThat(batch.sql())
        .isEqualTo(
            """
            SELECT s.slice, COUNT_BIG(*) AS row_count, MIN(s.k) AS min_key, MAX(s.k) AS max_key
            FROM (SELECT CAST(t.[i]]d] AS bigint) AS k, (CAST(t.[i]]d] AS bigint) - CAST(? AS bigint)) / CAST(? AS bigint) AS slice
            FROM [t] AS t
            WHERE t.[i]]d] >= CAST(? AS int)
            AND t.[i]]d] <= CAST(? AS int)
            ) AS s GROUP BY s.slice ORDER BY s.slice;
            """);
    assertThat(batch.values()).containsExactly(-5L, 7L, "-5", "90");
  }

  @Test
  void aGridIsNoLargerThanTheServersArithmetic() {
    assertThat(new SliceGrid(ID, 0, Long.MAX_VALUE, Long.MAX_VALUE).width()).isPositive();
    assertThatThrownBy(() -> new SliceGrid(ID, -1, Long.MAX_VALUE, 1))
        .hasMessage("No grid from -1 to 9223372036854775807 in slices of 1");
    assertThatThrownBy(() -> new SliceGrid(ID, 2, 1, 1)).hasMessageStartingWith("No grid");
  }
}

package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.type.SqlType;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeySlicesTest {
  private static final KeyColumn ID = new KeyColumn("id", new SqlType("bigint", 0, 0, 0), null);

  @Test
  void cutsTheExtentUniformly() {
    assertThat(KeySlices.uniform(ID, new KeyExtent(0L, 9L), 4))
        .containsExactly(slice(null, 2L), slice(2L, 5L), slice(5L, 7L), slice(7L, null));
  }

  @Test
  void readsAnEmptyTableInOneSlice() {
    assertThat(KeySlices.uniform(ID, new KeyExtent(null, null), 4))
        .containsExactly(slice(null, null));
  }

  @Property
  void coversEachKeyOnce(
      @ForAll long a,
      @ForAll long b,
      @ForAll long key,
      @ForAll @IntRange(min = 1, max = 50) int n) {
    List<KeyRange> slices = KeySlices.uniform(ID, new KeyExtent(Math.min(a, b), Math.max(a, b)), n);

    assertThat(slices).hasSizeLessThanOrEqualTo(n);
    assertThat(slices.stream().filter(slice -> contains(slice, key))).hasSize(1);
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

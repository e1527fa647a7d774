package io.github.mssqlcdc.source.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.sqlserver.KeyExtent;
import io.github.mssqlcdc.sqlserver.SqlServer.KeySlice;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeySlicesTest {

  @Test
  void cutsTheExtentUniformly() {
    assertThat(KeySlices.uniform("id", new KeyExtent(0L, 9L), 4))
        .containsExactly(
            new KeySlice("id", null, 2L),
            new KeySlice("id", 2L, 5L),
            new KeySlice("id", 5L, 7L),
            new KeySlice("id", 7L, null));
  }

  @Test
  void readsAnEmptyTableInOneSlice() {
    assertThat(KeySlices.uniform("id", new KeyExtent(null, null), 4))
        .containsExactly(new KeySlice("id", null, null));
  }

  @Property
  void coversEachKeyOnce(
      @ForAll long a,
      @ForAll long b,
      @ForAll long key,
      @ForAll @IntRange(min = 1, max = 50) int n) {
    List<KeySlice> slices =
        KeySlices.uniform("id", new KeyExtent(Math.min(a, b), Math.max(a, b)), n);

    assertThat(slices).hasSizeLessThanOrEqualTo(n);
    assertThat(slices.stream().filter(slice -> contains(slice, key))).hasSize(1);
  }

  private static boolean contains(KeySlice slice, long key) {
    return (slice.lo() == null || key >= slice.lo()) && (slice.hi() == null || key < slice.hi());
  }
}

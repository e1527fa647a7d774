package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts an integer key into slices of equal width. */
final class KeySlices {
  private KeySlices() {}

  /**
   * Slices that cover every key, whatever has been inserted since: the first is open below, where
   * NULLs belong, the last open above.
   *
   * @param count the most slices; fewer where the key has fewer values
   */
  static List<KeyRange> uniform(KeyColumn column, KeyExtent extent, int count) {
    List<KeyRange> slices = new ArrayList<>();
    @Nullable KeyBound lo = null;
    for (long bound : bounds(extent, count)) {
      KeyBound hi = KeyBound.of(Long.toString(bound));
      slices.add(new KeyRange(List.of(column), lo, hi));
      lo = hi;
    }
    slices.add(new KeyRange(List.of(column), lo, null));
    return slices;
  }

  private static List<Long> bounds(KeyExtent extent, int count) {
    Long min = extent.min();
    Long max = extent.max();
    if (min == null || max == null) {
      return List.of();
    }
    // up to 2^64: a bigint key may span all of its type
    BigInteger span = BigInteger.valueOf(max).subtract(BigInteger.valueOf(min)).add(BigInteger.ONE);
    List<Long> bounds = new ArrayList<>();
    long last = min;
    for (int i = 1; i < count; i++) {
      BigInteger step = span.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(count));
      long bound = BigInteger.valueOf(min).add(step).longValueExact();
      if (bound > last) {
        bounds.add(bound);
        last = bound;
      }
    }
    return bounds;
  }
}

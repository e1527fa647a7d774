package io.github.mssqlcdc.source.snapshot;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.sqlserver.KeyExtent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an integer key into slices of equal width. Gaps in it don't count: a reseeded identity, or a
 * single value far out, would leave most slices empty and the rows to few.
 */
record KeySlices(KeyColumn column) {
  /** Pieces that are looked at in a round. */
  private static final int PIECES = 64;

  /** Enough for gaps within gaps down from 2^64: a round finds those down to a 64th of it. */
  private static final int MAX_ROUNDS = 12;

  /** More would need more parameters than a statement has. */
  private static final int MAX_EXTENTS = 192;

  private static final BigInteger TWO = BigInteger.TWO;

  /**
   * Slices that cover every key, whatever has been inserted since: the first is open below, where
   * NULLs belong, the last open above.
   *
   * @param extents where keys are, in order
   * @param count the most slices; fewer where the key has fewer values
   */
  List<KeyRange> uniform(List<KeyExtent> extents, int count) {
    BigInteger width = width(extents);
    List<Long> bounds = new ArrayList<>();
    for (int i = 1; i < count && !extents.isEmpty(); i++) {
      BigInteger place = width.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(count));
      long bound = at(extents, place);
      long last = bounds.isEmpty() ? extents.get(0).min() : bounds.get(bounds.size() - 1);
      if (bound > last) {
        bounds.add(bound);
      }
    }
    return ranges(bounds);
  }

  /**
   * Extents without the widest gaps, found by seeks alone. As long as they hold fewer than half as
   * many rows as values, they are looked at in pieces, unless that doesn't take away half of them.
   *
   * @param rows how many rows there are, as far as known
   * @param look finds the extents of the keys in ranges
   */
  List<KeyExtent> dense(long rows, Function<List<KeyRange>, List<KeyExtent>> look) {
    List<KeyExtent> extents = look.apply(ranges(List.of()));
    for (int round = 0; round < MAX_ROUNDS && extents.size() <= MAX_EXTENTS; round++) {
      BigInteger width = width(extents);
      if (width.compareTo(BigInteger.valueOf(rows).multiply(TWO)) <= 0) {
        return extents;
      }
      List<KeyExtent> closer = look.apply(ranges(starts(extents, width)));
      if (width(closer).multiply(TWO).compareTo(width) > 0) {
        return closer;
      }
      extents = closer;
    }
    return extents;
  }

  /**
   * Where pieces of equal width begin, in each extent at its first key; the very first left out.
   */
  private static List<Long> starts(List<KeyExtent> extents, BigInteger width) {
    BigInteger step = width.divide(BigInteger.valueOf(PIECES)).add(BigInteger.ONE);
    List<Long> starts = new ArrayList<>();
    for (KeyExtent extent : extents) {
      BigInteger start = BigInteger.valueOf(extent.min());
      while (start.compareTo(BigInteger.valueOf(extent.max())) <= 0) {
        starts.add(start.longValueExact());
        start = start.add(step);
      }
    }
    return starts.subList(Math.min(1, starts.size()), starts.size());
  }

  private List<KeyRange> ranges(List<Long> bounds) {
    List<KeyRange> ranges = new ArrayList<>();
    @Nullable KeyBound lo = null;
    for (long bound : bounds) {
      KeyBound hi = KeyBound.of(Long.toString(bound));
      ranges.add(new KeyRange(List.of(column), lo, hi));
      lo = hi;
    }
    ranges.add(new KeyRange(List.of(column), lo, null));
    return ranges;
  }

  /** The value that so many values come before. */
  private static long at(List<KeyExtent> extents, BigInteger place) {
    BigInteger left = place;
    for (KeyExtent extent : extents) {
      BigInteger width = width(extent);
      if (left.compareTo(width) < 0) {
        return left.add(BigInteger.valueOf(extent.min())).longValueExact();
      }
      left = left.subtract(width);
    }
    throw new IllegalArgumentException("No value at place " + place);
  }

  private static BigInteger width(List<KeyExtent> extents) {
    return extents.stream().map(KeySlices::width).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Up to 2^64: a bigint key may span all of its type. */
  private static BigInteger width(KeyExtent extent) {
    return BigInteger.valueOf(extent.max())
        .subtract(BigInteger.valueOf(extent.min()))
        .add(BigInteger.ONE);
  }
}

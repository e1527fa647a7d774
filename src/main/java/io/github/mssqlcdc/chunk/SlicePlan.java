package io.github.mssqlcdc.chunk;

import io.github.mssqlcdc.keyrange.KeyBound;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.keyrange.KeyRange;
import io.github.mssqlcdc.sqlserver.SliceCount;
import io.github.mssqlcdc.sqlserver.SliceGrid;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the chunks of an integer key from counts of rows. Slices of equal width are counted, those
 * with more rows than a chunk may have again in finer slices, and neighbours joined as long as they
 * fit in one chunk: so chunks follow the rows, and a gap or a value far out makes none of its own.
 * Used once.
 */
final class SlicePlan {
  /** So many slices make a chunk, about: no more than one of them is lost to its end. */
  private static final long SLICES_PER_CHUNK = 16;

  /** The most slices of one count. */
  private static final long MAX_SLICES = 100_000;

  /** Two slices at least before differences leave a long. */
  private static final BigInteger MAX_WIDTH = BigInteger.ONE.shiftLeft(62);

  private static final BigInteger MAX_SPAN = BigInteger.ONE.shiftLeft(63);

  private final KeyColumn column;
  private final long chunkRows;
  private final Counts counts;
  private final List<PlannedChunk> chunks = new ArrayList<>();
  private @Nullable KeyBound lo;
  private long held;

  /** Asks the server for the rows of each slice of a grid. */
  @FunctionalInterface
  interface Counts {
    /** Slices that have rows, by their place. */
    List<SliceCount> of(SliceGrid grid);
  }

  SlicePlan(KeyColumn column, long chunkRows, Counts counts) {
    this.column = column;
    this.chunkRows = chunkRows;
    this.counts = counts;
  }

  /**
   * The chunks of the values from {@code min} to {@code max}; the first takes what is below, too.
   *
   * @param rows how many there are, as far as known
   */
  List<PlannedChunk> chunks(long min, long max, long rows) {
    count(min, min, max, Math.max(1, rows));
    close(BigInteger.valueOf(max).add(BigInteger.ONE).toString(), true);
    return chunks;
  }

  /**
   * @param start where the first slice begins as a chunk's bound; no value lies between it and
   *     {@code min}
   */
  private void count(long start, long min, long max, long rows) {
    long width = width(min, max, rows);
    long first = min;
    while (true) {
      long last = last(first, max, width);
      SliceGrid grid = new SliceGrid(column, first, last, width);
      for (SliceCount slice : counts.of(grid)) {
        long begin = first + slice.slice() * width;
        add(begin == min ? start : begin, slice);
      }
      if (last == max) {
        return;
      }
      first = last + 1;
    }
  }

  private void add(long start, SliceCount slice) {
    if (slice.rows() > chunkRows && slice.min() < slice.max()) {
      count(start, slice.min(), slice.max(), slice.rows());
      return;
    }
    if (held > 0 && slice.rows() > chunkRows - held) {
      close(Long.toString(start), false);
    }
    held += slice.rows();
  }

  private void close(String bound, boolean isLast) {
    ChunkPlanner.requireRoom(chunks.size(), chunkRows);
    KeyBound hi = KeyBound.of(bound);
    chunks.add(
        new PlannedChunk(chunks.size(), new KeyRange(List.of(column), lo, hi), held, isLast));
    lo = hi;
    held = 0;
  }

  private long width(long min, long max, long rows) {
    BigInteger slices = BigInteger.valueOf(SLICES_PER_CHUNK).multiply(BigInteger.valueOf(rows));
    BigInteger[] width =
        span(min, max).multiply(BigInteger.valueOf(chunkRows)).divideAndRemainder(slices);
    return width[0].add(BigInteger.valueOf(width[1].signum())).min(MAX_WIDTH).longValueExact();
  }

  /** The last value of a count: it ends with a slice, or the values. */
  private static long last(long first, long max, long width) {
    BigInteger slice = BigInteger.valueOf(width);
    BigInteger wanted = slice.multiply(BigInteger.valueOf(MAX_SLICES));
    BigInteger left = span(first, max);
    if (left.compareTo(wanted) <= 0 && left.compareTo(MAX_SPAN) <= 0) {
      return max;
    }
    BigInteger most = wanted.min(MAX_SPAN.subtract(MAX_SPAN.mod(slice)));
    return BigInteger.valueOf(first).add(most).subtract(BigInteger.ONE).longValueExact();
  }

  private static BigInteger span(long min, long max) {
    return BigInteger.valueOf(max).subtract(BigInteger.valueOf(min)).add(BigInteger.ONE);
  }
}

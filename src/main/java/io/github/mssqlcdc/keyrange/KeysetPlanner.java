package io.github.mssqlcdc.keyrange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a table into ranges of about equal rows, at keys that the server finds. It compares nothing
 * by itself: each bound is after the one before it in the server's order, or isn't found.
 */
public final class KeysetPlanner {
  private KeysetPlanner() {}

  /** Asks the server for a key. */
  @FunctionalInterface
  public interface Seek {
    /**
     * The key of the row that {@code rows} others come before, from a key on.
     *
     * @param from those that count begin with this key, whose rows count as one; null: with the
     *     table's first row
     * @return empty if there are no more rows than that
     */
    Optional<KeyBound> next(@Nullable KeyBound from, long rows);
  }

  /**
   * Ranges that cover every key, whatever has been inserted since: the first is open below, where
   * NULLs belong, the last open above.
   *
   * @param rows how many there are, as far as known; a wrong number makes the ranges uneven
   * @param count the most ranges; no more than rows
   */
  public static List<KeyRange> plan(List<KeyColumn> columns, long rows, int count, Seek seek) {
    long tiles = Math.min(count, rows);
    return cut(
        columns,
        LongStream.range(0, tiles - 1).map(i -> rows / tiles + (i < rows % tiles ? 1 : 0)),
        seek);
  }

  /**
   * Ranges of so many rows each, as long as the server finds a next bound, and one of the rest.
   *
   * @param sizes the rows of all but the last range; may be endless
   */
  public static List<KeyRange> cut(List<KeyColumn> columns, LongStream sizes, Seek seek) {
    List<KeyRange> ranges = new ArrayList<>();
    @Nullable KeyBound lo = null;
    for (PrimitiveIterator.OfLong size = sizes.iterator(); size.hasNext(); ) {
      Optional<KeyBound> hi = exact(seek, lo, size.nextLong());
      if (hi.isEmpty()) {
        break;
      }
      ranges.add(new KeyRange(columns, lo, hi.get()));
      lo = hi.get();
    }
    ranges.add(new KeyRange(columns, lo, null));
    return ranges;
  }

  /** A key that can't be told exactly is no bound: one further on is taken. */
  private static Optional<KeyBound> exact(Seek seek, @Nullable KeyBound from, long rows) {
    Optional<KeyBound> key = seek.next(from, rows);
    for (long more = 1; key.isPresent() && !key.get().isExact(); more *= 2) {
      key = seek.next(from, rows + more);
    }
    return key;
  }
}

package io.github.mssqlcdc.keyrange;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    List<KeyRange> ranges = new ArrayList<>();
    long tiles = Math.min(count, rows);
    @Nullable KeyBound lo = null;
    for (int i = 0; i < tiles - 1; i++) {
      long size = rows / tiles + (i < rows % tiles ? 1 : 0);
      Optional<KeyBound> hi = exact(seek, lo, size);
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

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyColumn;

/**
 * Slices of equal width of an integer column.
 *
 * @param first where the first slice begins
 * @param last the last value that counts; no more than 2<sup>63</sup> &minus; 1 above {@code first}
 * @param width values of a slice
 */
public record SliceGrid(KeyColumn column, long first, long last, long width) {

  public SliceGrid {
    if (width < 1 || last < first || last - first < 0) {
      throw new IllegalArgumentException(
          "No grid from " + first + " to " + last + " in slices of " + width);
    }
  }
}

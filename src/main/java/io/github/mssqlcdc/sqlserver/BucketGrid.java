package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.keyrange.KeyColumn;

/**
 * Buckets of equal width of a whole-number or date column; a date counts as its days since
 * 1970-01-01.
 *
 * @param width values of a bucket; bucket 0 begins at 0
 */
public record BucketGrid(KeyColumn column, long width) {

  public BucketGrid {
    if (width < 1 || !isCountable(column)) {
      throw new IllegalArgumentException("No buckets of " + width + " values of " + column);
    }
  }

  /** Whether values of a column can be counted in buckets. */
  public static boolean isCountable(KeyColumn column) {
    return column.isInteger() || isDate(column);
  }

  public static boolean isDate(KeyColumn column) {
    return column.type().name().equals("date");
  }
}

package io.github.mssqlcdc.sqlserver;

/**
 * Into how many tiles the rows of a batch are counted.
 *
 * @param most tiles at most, 1 or more
 * @param floor rows that a tile holds at least, unless the batch has fewer; 1 or more
 */
public record TileLimits(int most, long floor) {

  public TileLimits {
    if (most < 1 || floor < 1) {
      throw new IllegalArgumentException(
          "Invalid limits of tiles: most " + most + ", floor " + floor);
    }
  }
}

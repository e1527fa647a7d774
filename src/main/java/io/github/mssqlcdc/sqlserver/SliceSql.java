package io.github.mssqlcdc.sqlserver;

/**
 * The statement that counts rows per slice of an integer column. It reads the range of values once,
 * in an index that has the column if there is one; only the counts leave the server.
 */
final class SliceSql {
  private SliceSql() {}

  /**
   * @param table quoted
   */
  static void addTo(Batch batch, String table, SliceGrid grid) {
    String key = "CAST(t." + Quoting.name(grid.column().name()) + " AS bigint)";
    // a difference to the grid's first value, and its quotient, fit in a bigint by the grid's limit
    batch.add(
        "SELECT s.slice, COUNT_BIG(*) AS row_count, MIN(s.k) AS min_key, MAX(s.k) AS max_key");
    batch.add(
        "FROM (SELECT "
            + key
            + " AS k, ("
            + key
            + " - CAST(? AS bigint)) / CAST(? AS bigint) AS slice",
        grid.first(),
        grid.width());
    batch.add("FROM " + table + " AS t");
    Where where = new Where("t");
    where.and(where.compare(grid.column(), ">=", Long.toString(grid.first())));
    where.and(where.compare(grid.column(), "<=", Long.toString(grid.last())));
    where.addTo(batch);
    batch.add(") AS s GROUP BY s.slice ORDER BY s.slice;");
  }
}

package io.github.mssqlcdc.sqlserver;

import org.jspecify.annotations.Nullable;

/** The statement that counts a table's rows and sums its key, per bucket. Reads the key once. */
final class BucketSql {
  private BucketSql() {}

  /**
   * @param table quoted
   * @param grid null: the whole table is one bucket
   */
  static void addTo(Batch batch, String table, @Nullable BucketGrid grid) {
    if (grid == null) {
      batch.add(
          "SELECT CAST(NULL AS bigint) AS bucket, COUNT_BIG(*) AS row_count,"
              + " CAST(NULL AS decimal(38, 0)) AS key_sum FROM "
              + table
              + " AS t;");
      return;
    }
    // a division cuts towards zero, a bucket goes on below it; nothing here leaves a bigint
    batch.add(
        "SELECT b.bucket, COUNT_BIG(*) AS row_count, SUM(CAST(b.k AS decimal(38, 0))) AS key_sum");
    batch.add("FROM (SELECT n.k, n.k / n.w - CASE WHEN n.k % n.w < 0 THEN 1 ELSE 0 END AS bucket");
    batch.add(
        "FROM (SELECT " + value(grid) + " AS k, CAST(? AS bigint) AS w FROM " + table + " AS t)",
        grid.width());
    batch.add("AS n) AS b GROUP BY b.bucket ORDER BY b.bucket;");
  }

  private static String value(BucketGrid grid) {
    String name = "t." + Quoting.name(grid.column().name());
    return "CAST("
        + (BucketGrid.isDate(grid.column())
            ? "DATEDIFF(day, CAST('19700101' AS date), " + name + ")"
            : name)
        + " AS bigint)";
  }
}

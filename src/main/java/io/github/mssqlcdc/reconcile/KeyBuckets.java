package io.github.mssqlcdc.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.datediff;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.github.mssqlcdc.delta.table.ColumnNames;
import io.github.mssqlcdc.keyrange.KeyColumn;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.sqlserver.BucketGrid;
import io.github.mssqlcdc.sqlserver.KeyEnds;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a key, the same on both sides.
 *
 * @param grid null: the key can't be counted, the whole table is one bucket
 */
record KeyBuckets(@Nullable BucketGrid grid) {
  static final String BUCKET = ColumnNames.WORKING + "bucket";
  static final String VALUE = ColumnNames.WORKING + "value";

  private static final BigInteger MOST = BigInteger.valueOf(100_000);
  private static final LocalDate EPOCH = LocalDate.of(1970, 1, 1);
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST = LocalDate.of(9999, 12, 31);

  /**
   * @param columns of the key
   * @param width values of a bucket; more, where an integer's values lie so far apart that there
   *     would be too many buckets
   * @param ends asked for an integer's
   */
  static KeyBuckets of(List<KeyColumn> columns, long width, Supplier<KeyEnds> ends) {
    if (columns.size() != 1 || !BucketGrid.isCountable(columns.get(0))) {
      return new KeyBuckets(null);
    }
    KeyColumn column = columns.get(0);
    return new KeyBuckets(
        new BucketGrid(column, column.isInteger() ? widened(width, ends.get()) : width));
  }

  private static long widened(long width, KeyEnds ends) {
    if (ends.min() == null || ends.max() == null) {
      return width;
    }
    BigInteger span =
        new BigInteger(String.valueOf(ends.max().values().get(0)))
            .subtract(new BigInteger(String.valueOf(ends.min().values().get(0))))
            .add(BigInteger.ONE);
    BigInteger unit = BigInteger.valueOf(width).multiply(MOST);
    BigInteger units = span.add(unit).subtract(BigInteger.ONE).divide(unit);
    return units.max(BigInteger.ONE).multiply(BigInteger.valueOf(width)).longValueExact();
  }

  /** The rows with the number of their bucket and their key's value, which may be null. */
  Dataset<Row> number(Dataset<Row> rows) {
    if (grid == null) {
      return rows.withColumn(VALUE, lit(null).cast("bigint"))
          .withColumn(BUCKET, lit(null).cast("bigint"));
    }
    Column key = col(ColumnNames.quoted(grid.column().name()));
    Column value = BucketGrid.isDate(grid.column()) ? datediff(key, lit(EPOCH)) : key;
    return rows.withColumn(VALUE, value.cast("bigint"))
        .withColumn(
            BUCKET,
            expr(
                "%s div %dL - CASE WHEN %s %% %dL < 0 THEN 1L ELSE 0L END"
                    .formatted(VALUE, grid.width(), VALUE, grid.width())));
  }

  /**
   * The keys of a bucket.
   *
   * @param number as the chunk that it is read as
   * @param bucket null: the keys that are NULL, or the whole table
   */
  ChunkBounds bounds(int number, @Nullable Long bucket) {
    if (grid == null) {
      return new ChunkBounds(number, ChunkBounds.OPEN, ChunkBounds.OPEN, null, false);
    }
    if (bucket == null) {
      return new ChunkBounds(number, ChunkBounds.OPEN, first(), null, false);
    }
    BigInteger width = BigInteger.valueOf(grid.width());
    BigInteger lo = BigInteger.valueOf(bucket).multiply(width);
    BigInteger hi = lo.add(width);
    return BucketGrid.isDate(grid.column())
        ? new ChunkBounds(number, date(lo), date(hi), null, false)
        : new ChunkBounds(number, integer(lo), integer(hi), null, false);
  }

  private String first() {
    return BucketGrid.isDate(column()) ? quoted(FIRST) : column().smallestInteger();
  }

  private KeyColumn column() {
    if (grid == null) {
      throw new IllegalStateException("A key that isn't cut");
    }
    return grid.column();
  }

  private static String date(BigInteger days) {
    if (days.compareTo(BigInteger.valueOf(LAST.toEpochDay())) > 0) {
      return ChunkBounds.OPEN;
    }
    return quoted(
        LocalDate.ofEpochDay(days.max(BigInteger.valueOf(FIRST.toEpochDay())).longValue()));
  }

  private static String quoted(LocalDate date) {
    return "\"" + date + "\"";
  }

  private String integer(BigInteger value) {
    BigInteger smallest = new BigInteger(column().smallestInteger());
    BigInteger largest = smallest.signum() == 0 ? BigInteger.valueOf(255) : smallest.not();
    if (value.compareTo(largest) > 0) {
      return ChunkBounds.OPEN;
    }
    return value.max(smallest).toString();
  }
}

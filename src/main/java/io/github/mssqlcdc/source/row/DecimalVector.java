package io.github.mssqlcdc.source.row;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Decimals of more than 18 digits, as which money counts. Spark's own vector keeps the bytes of
 * each, to make the number from them that the driver had made before.
 */
final class DecimalVector extends OwnTypeVector {
  private final @Nullable BigDecimal[] values;
  private int rows;
  private int nulls;

  DecimalVector(DataType type, int rows) {
    super(type);
    this.values = new @Nullable BigDecimal[rows];
  }

  void append(@Nullable BigDecimal value) {
    values[rows++] = value;
    if (value == null) {
      nulls++;
    }
  }

  @Nullable BigDecimal value(int row) {
    return values[row];
  }

  void reset() {
    Arrays.fill(values, 0, rows, null);
    rows = 0;
    nulls = 0;
  }

  @Override
  public void close() {
    reset();
  }

  @Override
  public boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public int numNulls() {
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return values[row] == null;
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    BigDecimal value = values[row];
    return value == null ? null : Decimal.apply(value, precision, scale);
  }
}

package io.github.mssqlcdc.source.row;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Decimals of more than 18 digits, as which money counts. Spark's own vector keeps the bytes of
 * each, to make the number from them that the driver had made before. Most values have 18 digits or
 * fewer and are kept as a long: an object that Spark takes up a whole batch later costs more.
 */
final class DecimalVector extends OwnTypeVector {
  private final long[] small;
  private final @Nullable BigDecimal[] large;
  private final boolean[] isNull;
  private int rows;
  private int nulls;

  DecimalVector(DataType type, int rows) {
    super(type);
    this.small = new long[rows];
    this.large = new @Nullable BigDecimal[rows];
    this.isNull = new boolean[rows];
  }

  void append(@Nullable BigDecimal value) {
    isNull[rows] = value == null;
    if (value == null) {
      nulls++;
    } else if (value.precision() <= Decimal.MAX_LONG_DIGITS()) {
      small[rows] = value.unscaledValue().longValue();
    } else {
      large[rows] = value;
    }
    rows++;
  }

  void reset() {
    Arrays.fill(large, 0, rows, null);
    rows = 0;
    nulls = 0;
  }

  /** Begins anew with this row's value. */
  void carry(int row) {
    boolean wasNull = isNull[row];
    long smallValue = small[row];
    BigDecimal largeValue = large[row];
    reset();
    isNull[0] = wasNull;
    small[0] = smallValue;
    large[0] = largeValue;
    nulls = wasNull ? 1 : 0;
    rows = 1;
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
    return isNull[row];
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    if (isNull[row]) {
      return null;
    }
    BigDecimal value = large[row];
    return value == null
        ? Decimal.apply(small[row], precision, scale)
        : Decimal.apply(value, precision, scale);
  }
}

package io.github.mssqlcdc.source.row;

import java.math.BigDecimal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Decimals of more than 18 digits, as which money counts. Spark's own vector keeps the bytes of
 * each, to make the number from them that the driver had made before.
 */
final class DecimalVector extends ObjectVector<BigDecimal> {

  DecimalVector(DataType type, int rows) {
    super(type, new @Nullable BigDecimal[rows]);
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    BigDecimal value = value(row);
    return value == null ? null : Decimal.apply(value, precision, scale);
  }
}

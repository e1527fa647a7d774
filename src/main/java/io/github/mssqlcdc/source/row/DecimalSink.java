package io.github.mssqlcdc.source.row;

import java.math.BigDecimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Decimals of more than 18 digits. */
final class DecimalSink extends VectorSink {
  private final DecimalVector vector;

  DecimalSink(DecimalVector vector) {
    this.vector = vector;
  }

  @Override
  ColumnVector vector() {
    return vector;
  }

  @Override
  void reset() {
    vector.reset();
  }

  @Override
  void carry(int row) {
    BigDecimal value = vector.value(row);
    vector.reset();
    vector.append(value);
  }

  @Override
  public void putNull() {
    vector.append(null);
  }

  @Override
  public void putDecimal(BigDecimal value) {
    vector.append(value);
  }
}

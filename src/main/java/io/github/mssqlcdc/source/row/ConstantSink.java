package io.github.mssqlcdc.source.row;

import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;

/** One value for all rows; put once, it stays. */
final class ConstantSink extends VectorSink {
  private final ConstantColumnVector vector;

  ConstantSink(DataType type, int rows) {
    this.vector = new ConstantColumnVector(rows, type);
  }

  @Override
  ColumnVector vector() {
    return vector;
  }

  @Override
  void reset() {}

  @Override
  void carry(int row) {}

  @Override
  public void putNull() {
    vector.setNull();
  }

  @Override
  public void putInt(int value) {
    vector.setInt(value);
  }

  @Override
  public void putLong(long value) {
    vector.setLong(value);
  }

  @Override
  public void putBytes(byte[] value) {
    vector.setUtf8String(UTF8String.fromBytes(value));
  }
}

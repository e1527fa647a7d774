package io.github.mssqlcdc.source.row;

import org.apache.spark.sql.vectorized.ColumnVector;

/** Text and binary values. */
final class BytesSink extends VectorSink {
  private final BytesVector vector;

  BytesSink(BytesVector vector) {
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
    byte[] value = vector.value(row);
    vector.reset();
    vector.append(value);
  }

  @Override
  public void putNull() {
    vector.append(null);
  }

  @Override
  public void putBytes(byte[] value) {
    vector.append(value);
  }
}

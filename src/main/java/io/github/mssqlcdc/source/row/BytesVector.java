package io.github.mssqlcdc.source.row;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A vector of byte arrays. Spark's own copies each value into one buffer that keeps the size of the
 * largest batch; this one holds the arrays as the driver made them and lets go of them with the
 * next batch, so that a value of 100 MB costs its own size and only while it is handed on.
 */
final class BytesVector extends OwnTypeVector {
  private final byte[] @Nullable [] values;
  private int rows;
  private int nulls;

  BytesVector(DataType type, int rows) {
    super(type);
    this.values = new byte[rows][];
  }

  void append(byte @Nullable [] value) {
    values[rows++] = value;
    if (value == null) {
      nulls++;
    }
  }

  byte @Nullable [] value(int row) {
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
  public @Nullable UTF8String getUTF8String(int row) {
    byte[] value = values[row];
    return value == null ? null : UTF8String.fromBytes(value);
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    return values[row];
  }
}

package io.github.mssqlcdc.source.row;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A vector of byte arrays. Spark's own copies each value into one buffer that keeps the size of the
 * largest batch; here a value of 100 MB costs its own size and only while it is handed on.
 */
final class BytesVector extends ObjectVector<byte[]> {

  BytesVector(DataType type, int rows) {
    super(type, new byte[rows][]);
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    byte[] value = value(row);
    return value == null ? null : UTF8String.fromBytes(value);
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    return value(row);
  }
}

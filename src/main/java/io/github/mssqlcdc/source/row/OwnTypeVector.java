package io.github.mssqlcdc.source.row;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** A vector that answers for its own type only: the getters of all others refuse. */
abstract class OwnTypeVector extends ColumnVector {

  OwnTypeVector(DataType type) {
    super(type);
  }

  /**
   * Spark calls this once it has read a batch. A row that waits for the next batch is in here
   * still, and the next batch takes this one's place: whoever fills it lets go of it.
   */
  @Override
  public void closeIfFreeable() {}

  @Override
  public boolean getBoolean(int row) {
    throw unsupported();
  }

  @Override
  public byte getByte(int row) {
    throw unsupported();
  }

  @Override
  public short getShort(int row) {
    throw unsupported();
  }

  @Override
  public int getInt(int row) {
    throw unsupported();
  }

  @Override
  public long getLong(int row) {
    throw unsupported();
  }

  @Override
  public float getFloat(int row) {
    throw unsupported();
  }

  @Override
  public double getDouble(int row) {
    throw unsupported();
  }

  @Override
  public @Nullable ColumnarArray getArray(int row) {
    throw unsupported();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw unsupported();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw unsupported();
  }

  @Override
  public @Nullable UTF8String getUTF8String(int row) {
    throw unsupported();
  }

  @Override
  public byte @Nullable [] getBinary(int row) {
    throw unsupported();
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    throw unsupported();
  }

  private UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("Unsupported for a column of type " + type.sql());
  }
}

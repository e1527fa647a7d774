package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.type.ColumnSink;
import java.math.BigDecimal;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Appends values to the vector of one column. Not thread-safe. */
abstract class VectorSink implements ColumnSink {

  /** A sink whose vector takes as many rows. */
  static VectorSink of(DataType type, int rows) {
    if (type instanceof StringType || type instanceof BinaryType) {
      return new BytesSink(new BytesVector(type, rows));
    }
    return type instanceof DecimalType decimal && decimal.precision() > Decimal.MAX_LONG_DIGITS()
        ? new DecimalSink(new DecimalVector(type, rows))
        : new FixedSink(type, rows);
  }

  abstract ColumnVector vector();

  /** Begins a new batch. */
  abstract void reset();

  /** Begins a new batch, with this row of the one before as its first. */
  abstract void carry(int row);

  @Override
  public void putNull() {
    throw unexpected("NULL");
  }

  @Override
  public void putBoolean(boolean value) {
    throw unexpected("a boolean");
  }

  @Override
  public void putShort(short value) {
    throw unexpected("a short");
  }

  @Override
  public void putInt(int value) {
    throw unexpected("an int");
  }

  @Override
  public void putLong(long value) {
    throw unexpected("a long");
  }

  @Override
  public void putFloat(float value) {
    throw unexpected("a float");
  }

  @Override
  public void putDouble(double value) {
    throw unexpected("a double");
  }

  @Override
  public void putDecimal(BigDecimal value) {
    throw unexpected("a decimal");
  }

  @Override
  public void putBytes(byte[] value) {
    throw unexpected("bytes");
  }

  private IllegalStateException unexpected(String what) {
    return new IllegalStateException(
        "Cannot put " + what + " into a column of type " + vector().dataType().sql());
  }
}

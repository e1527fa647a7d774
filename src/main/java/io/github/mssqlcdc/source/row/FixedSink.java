package io.github.mssqlcdc.source.row;

import java.math.BigDecimal;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Values of a fixed width: numbers, dates, times, decimals of at most 18 digits. */
final class FixedSink extends VectorSink {
  private final OnHeapColumnVector vector;
  private final boolean isInt;
  private int row;

  FixedSink(DataType type, int rows) {
    this.vector = new OnHeapColumnVector(rows, type);
    this.isInt =
        type instanceof IntegerType
            || type instanceof DateType
            || (type instanceof DecimalType decimal
                && decimal.precision() <= Decimal.MAX_INT_DIGITS());
  }

  @Override
  ColumnVector vector() {
    return vector;
  }

  @Override
  void reset() {
    vector.reset();
    row = 0;
  }

  @Override
  void carry(int from) {
    if (vector.isNullAt(from)) {
      reset();
      putNull();
      return;
    }
    DataType type = vector.dataType();
    if (isInt) {
      int value = vector.getInt(from);
      reset();
      putInt(value);
    } else if (type instanceof BooleanType) {
      boolean value = vector.getBoolean(from);
      reset();
      putBoolean(value);
    } else if (type instanceof ShortType) {
      short value = vector.getShort(from);
      reset();
      putShort(value);
    } else if (type instanceof FloatType) {
      float value = vector.getFloat(from);
      reset();
      putFloat(value);
    } else if (type instanceof DoubleType) {
      double value = vector.getDouble(from);
      reset();
      putDouble(value);
    } else {
      long value = vector.getLong(from);
      reset();
      putLong(value);
    }
  }

  @Override
  public void putNull() {
    vector.putNull(row++);
  }

  @Override
  public void putBoolean(boolean value) {
    vector.putBoolean(row++, value);
  }

  @Override
  public void putShort(short value) {
    vector.putShort(row++, value);
  }

  @Override
  public void putInt(int value) {
    vector.putInt(row++, value);
  }

  @Override
  public void putLong(long value) {
    vector.putLong(row++, value);
  }

  @Override
  public void putFloat(float value) {
    vector.putFloat(row++, value);
  }

  @Override
  public void putDouble(double value) {
    vector.putDouble(row++, value);
  }

  @Override
  public void putDecimal(BigDecimal value) {
    long unscaled = value.unscaledValue().longValue();
    if (isInt) {
      putInt((int) unscaled);
    } else {
      putLong(unscaled);
    }
  }
}

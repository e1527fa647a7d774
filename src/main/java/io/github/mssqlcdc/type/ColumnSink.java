package io.github.mssqlcdc.type;

/** Takes the values of one column, row after row. Not thread-safe. */
public interface ColumnSink {
  void putNull();

  void putBoolean(boolean value);

  void putShort(short value);

  void putInt(int value);

  void putLong(long value);

  void putFloat(float value);

  void putDouble(double value);

  /** The unscaled value of a decimal of at most 38 digits, at the column's own scale. */
  void putDecimal(java.math.BigDecimal value);

  /** Text as UTF-8, or binary. The array is the sink's from here on. */
  void putBytes(byte[] value);
}

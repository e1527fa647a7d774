package io.github.mssqlcdc.source.row;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** A vector that holds objects as the driver made them, and lets go of them with the next batch. */
abstract class ObjectVector<T> extends OwnTypeVector {
  private final @Nullable T[] values;
  private int rows;
  private int nulls;

  /**
   * @param values as many as a batch may have rows
   */
  ObjectVector(DataType type, @Nullable T[] values) {
    super(type);
    this.values = values;
  }

  final void append(@Nullable T value) {
    values[rows++] = value;
    if (value == null) {
      nulls++;
    }
  }

  final @Nullable T value(int row) {
    return values[row];
  }

  final void reset() {
    Arrays.fill(values, 0, rows, null);
    rows = 0;
    nulls = 0;
  }

  @Override
  public final void close() {
    reset();
  }

  @Override
  public final boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public final int numNulls() {
    return nulls;
  }

  @Override
  public final boolean isNullAt(int row) {
    return values[row] == null;
  }
}

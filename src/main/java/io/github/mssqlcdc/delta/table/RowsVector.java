package io.github.mssqlcdc.delta.table;

import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.StructField;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** One column of a few Spark rows, for Delta Kernel. */
record RowsVector(DataType type, @Nullable Object[] values) implements ColumnVector {

  /** The column of this field; null where {@code schema} has no such column. */
  static RowsVector of(List<Row> rows, StructType schema, StructField field) {
    int index = List.of(schema.fieldNames()).indexOf(field.getName());
    return new RowsVector(
        field.getDataType(), rows.stream().map(row -> index < 0 ? null : row.get(index)).toArray());
  }

  @Override
  public DataType getDataType() {
    return type;
  }

  @Override
  public int getSize() {
    return values.length;
  }

  @Override
  public boolean isNullAt(int row) {
    return values[row] == null;
  }

  @Override
  public String getString(int row) {
    return (String) some(row);
  }

  @Override
  public boolean getBoolean(int row) {
    return (Boolean) some(row);
  }

  @Override
  public int getInt(int row) {
    return (Integer) some(row);
  }

  @Override
  public double getDouble(int row) {
    return (Double) some(row);
  }

  @Override
  public BigDecimal getDecimal(int row) {
    return (BigDecimal) some(row);
  }

  @Override
  public long getLong(int row) {
    return some(row) instanceof LocalDateTime time
        ? ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time)
        : (Long) some(row);
  }

  @Override
  public void close() {}

  private Object some(int row) {
    Object value = values[row];
    if (value == null) {
      throw new IllegalStateException("Row " + row + " is null");
    }
    return value;
  }
}

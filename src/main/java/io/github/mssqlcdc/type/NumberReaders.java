package io.github.mssqlcdc.type;

import java.math.BigDecimal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Readers of booleans and numbers. Only a zero may be a NULL: to ask costs, so others aren't asked.
 */
final class NumberReaders {
  private static final int SMALL_DECIMAL_BYTES = 8;
  private static final int LARGE_DECIMAL_BYTES = 16;

  private NumberReaders() {}

  static ColumnReader bool() {
    return (row, column, sink) -> {
      boolean value = row.getBoolean(column);
      if (!value && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putBoolean(value);
      return 1;
    };
  }

  /** A binary number, read as the type asked for: the driver widens. */
  static ColumnReader number(DataType target) {
    if (target.equals(DataTypes.ShortType)) {
      return shortInt();
    } else if (target.equals(DataTypes.IntegerType)) {
      return integer();
    } else if (target.equals(DataTypes.LongType)) {
      return bigint();
    } else if (target.equals(DataTypes.FloatType)) {
      return real();
    }
    return floating();
  }

  static ColumnReader decimal(DecimalType target) {
    int scale = target.scale();
    int size =
        target.precision() <= Decimal.MAX_LONG_DIGITS() ? SMALL_DECIMAL_BYTES : LARGE_DECIMAL_BYTES;
    return (row, column, sink) -> {
      BigDecimal value = row.getBigDecimal(column);
      if (value == null) {
        return ColumnReader.ABSENT;
      }
      sink.putDecimal(value.scale() == scale ? value : value.setScale(scale));
      return size;
    };
  }

  private static ColumnReader shortInt() {
    return (row, column, sink) -> {
      short value = row.getShort(column);
      if (value == 0 && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putShort(value);
      return Short.BYTES;
    };
  }

  private static ColumnReader integer() {
    return (row, column, sink) -> {
      int value = row.getInt(column);
      if (value == 0 && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putInt(value);
      return Integer.BYTES;
    };
  }

  private static ColumnReader bigint() {
    return (row, column, sink) -> {
      long value = row.getLong(column);
      if (value == 0 && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putLong(value);
      return Long.BYTES;
    };
  }

  private static ColumnReader real() {
    return (row, column, sink) -> {
      float value = row.getFloat(column);
      if (value == 0 && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putFloat(value);
      return Float.BYTES;
    };
  }

  private static ColumnReader floating() {
    return (row, column, sink) -> {
      double value = row.getDouble(column);
      if (value == 0 && row.wasNull()) {
        return ColumnReader.ABSENT;
      }
      sink.putDouble(value);
      return Double.BYTES;
    };
  }
}

package io.github.mssqlcdc.type;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** Which Spark type holds every value of another, in a way that Delta can widen, too. */
final class Widening {
  private static final List<DataType> INTEGERS =
      List.of(DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

  private Widening() {}

  static boolean holds(DataType wide, DataType narrow) {
    if (wide.equals(narrow)) {
      return true;
    }
    if (wide instanceof DecimalType to && narrow instanceof DecimalType from) {
      return to.scale() >= from.scale()
          && to.precision() - to.scale() >= from.precision() - from.scale();
    }
    if (INTEGERS.contains(narrow) && INTEGERS.contains(wide)) {
      return INTEGERS.indexOf(wide) > INTEGERS.indexOf(narrow);
    }
    if (wide.equals(DataTypes.DoubleType)) {
      // a double holds every int, but not every bigint
      return narrow.equals(DataTypes.FloatType)
          || narrow.equals(DataTypes.ShortType)
          || narrow.equals(DataTypes.IntegerType);
    }
    return wide.equals(DataTypes.TimestampNTZType) && narrow.equals(DataTypes.DateType);
  }
}

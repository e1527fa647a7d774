package io.github.mssqlcdc.delta.table;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Whether Delta will merge the columns of an append into a table's. Delta says so itself, but only
 * once the rows have been asked for, and not how to go on.
 *
 * @param columns the table's
 * @param properties the table's
 */
record SchemaFit(DeltaTableRef table, StructType columns, Map<String, String> properties) {
  private static final String WIDENING = "delta.enableTypeWidening";
  private static final List<DataType> SMALL_INTEGERS =
      List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType);

  /**
   * @throws InvalidRequestException if it won't
   */
  void require(StructType rows) {
    for (StructField field : rows.fields()) {
      Optional<DataType> held = find(field.name());
      if (held.isEmpty()) {
        requireName(field.name());
      } else {
        requireType(field, held.get());
      }
    }
  }

  private Optional<DataType> find(String name) {
    return Arrays.stream(columns.fields())
        .filter(field -> field.name().equalsIgnoreCase(name))
        .map(StructField::dataType)
        .findFirst();
  }

  private void requireName(String name) {
    boolean isMapped = !properties.getOrDefault(ColumnNames.MAPPING_MODE, "none").equals("none");
    if (ColumnNames.needsMapping(name) && !isMapped) {
      throw refused(
          "Cannot add column '"
              + name
              + "' to '"
              + table
              + "': Delta takes such a name with column mapping only. Turn it on with "
              + set(ColumnNames.MAPPING_MODE, ColumnNames.BY_NAME)
              + " and start again");
    }
  }

  private void requireType(StructField field, DataType held) {
    DataType type = field.dataType();
    if (held.equals(type) || (isSmallInteger(held) && isSmallInteger(type))) {
      return;
    }
    String start =
        "Cannot write column '"
            + field.name()
            + "' of type "
            + type.sql()
            + " to '"
            + table
            + "', where it is "
            + held.sql();
    if (!canWiden(held, type)) {
      throw refused(
          start
              + ". Give it that type in option 'columns' if "
              + held.sql()
              + " holds its values, or give the stream a new target, appId and checkpoint");
    }
    if (!Boolean.parseBoolean(properties.get(WIDENING))) {
      throw refused(
          start
              + ": the column is widened only with "
              + WIDENING
              + ". Turn it on with "
              + set(WIDENING, "true")
              + " and start again");
    }
  }

  /** Delta keeps these as one type in its files, and widens without being asked. */
  private static boolean isSmallInteger(DataType type) {
    return SMALL_INTEGERS.contains(type);
  }

  private static boolean canWiden(DataType held, DataType type) {
    if (held instanceof DecimalType from && type instanceof DecimalType to) {
      return to.scale() >= from.scale()
          && to.precision() - to.scale() >= from.precision() - from.scale();
    }
    if (isSmallInteger(held)) {
      return type.equals(DataTypes.LongType) || type.equals(DataTypes.DoubleType);
    }
    return held.equals(DataTypes.FloatType) && type.equals(DataTypes.DoubleType)
        || held.equals(DataTypes.DateType) && type.equals(DataTypes.TimestampNTZType);
  }

  private String set(String property, String value) {
    return "ALTER TABLE "
        + table.sql()
        + " SET TBLPROPERTIES ('"
        + property
        + "' = '"
        + value
        + "')";
  }

  private static InvalidRequestException refused(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_TARGET, message);
  }
}

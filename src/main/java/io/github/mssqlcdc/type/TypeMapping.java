package io.github.mssqlcdc.type;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/**
 * How a SQL Server type is read: the one table of types. What isn't in it can't be read.
 *
 * @param sparkType the type it has in Spark
 * @param reader makes a reader that writes the sink's type, the same or a wider one
 */
record TypeMapping(Function<SqlType, DataType> sparkType, Function<DataType, ColumnReader> reader) {

  private static final Map<String, TypeMapping> TABLE = new HashMap<>();

  static {
    map(DataTypes.BooleanType, wide -> NumberReaders.bool(), "bit");
    // 0 to 255: a byte would turn 200 into -56
    map(DataTypes.ShortType, NumberReaders::number, "tinyint", "smallint");
    map(DataTypes.IntegerType, NumberReaders::number, "int");
    map(DataTypes.LongType, NumberReaders::number, "bigint");
    map(DataTypes.FloatType, NumberReaders::number, "real");
    map(DataTypes.DoubleType, NumberReaders::number, "float");
    map(type -> DataTypes.createDecimalType(type.precision(), type.scale()), "decimal", "numeric");
    map(type -> DataTypes.createDecimalType(19, 4), "money");
    map(type -> DataTypes.createDecimalType(10, 4), "smallmoney");
    map(DataTypes.DateType, TimeReaders::date, "date");
    map(
        DataTypes.TimestampNTZType,
        wide -> TimeReaders.dateTime(),
        "datetime",
        "datetime2",
        "smalldatetime");
    map(DataTypes.TimestampType, wide -> TimeReaders.instant(), "datetimeoffset");
    map(DataTypes.StringType, wide -> TimeReaders.time(), "time");
    map(DataTypes.StringType, wide -> BytesReaders.guid(), "uniqueidentifier");
    map(
        DataTypes.StringType,
        wide -> BytesReaders.text(),
        "char",
        "varchar",
        "text",
        "nchar",
        "nvarchar",
        "ntext",
        "xml",
        "sysname");
    // the catalogue's "timestamp" is a rowversion
    map(
        DataTypes.BinaryType,
        wide -> BytesReaders.binary(),
        "binary",
        "varbinary",
        "image",
        "rowversion",
        "timestamp");
  }

  static Optional<TypeMapping> find(SqlType type) {
    return Optional.ofNullable(TABLE.get(type.name()));
  }

  private static void map(DataType type, Function<DataType, ColumnReader> reader, String... names) {
    for (String name : names) {
      TABLE.put(name, new TypeMapping(unused -> type, reader));
    }
  }

  private static void map(Function<SqlType, DataType> decimal, String... names) {
    for (String name : names) {
      TABLE.put(name, new TypeMapping(decimal, wide -> NumberReaders.decimal((DecimalType) wide)));
    }
  }
}

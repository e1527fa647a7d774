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
 * @param form how the column is asked for
 */
record TypeMapping(
    Function<SqlType, DataType> sparkType,
    Function<DataType, ColumnReader> reader,
    SelectForm form,
    Use use) {

  /** When a column of the type is read. */
  enum Use {
    /** Whenever it is captured. */
    ALWAYS,
    /** Only if the user lists it: its text isn't all that there is to it. */
    ON_REQUEST
  }

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
        wide -> TextReader.STRING,
        "char",
        "varchar",
        "text",
        "nchar",
        "nvarchar",
        "ntext",
        "xml");
    map(
        DataTypes.BinaryType,
        wide -> BytesReaders.binary(),
        "binary",
        "varbinary",
        "image",
        "rowversion");
    text(SelectForm.TEXT, Use.ALWAYS, "json", "vector");
    text(SelectForm.TEXT, Use.ON_REQUEST, "sql_variant");
    text(SelectForm.CLR_TEXT, Use.ON_REQUEST, "hierarchyid");
    text(SelectForm.WELL_KNOWN_TEXT, Use.ON_REQUEST, "geometry", "geography");
  }

  static Optional<TypeMapping> find(SqlType type) {
    return Optional.ofNullable(TABLE.get(type.name()));
  }

  private static void map(DataType type, Function<DataType, ColumnReader> reader, String... names) {
    for (String name : names) {
      TABLE.put(name, new TypeMapping(unused -> type, reader, SelectForm.COLUMN, Use.ALWAYS));
    }
  }

  private static void text(SelectForm form, Use use, String... names) {
    for (String name : names) {
      TABLE.put(
          name,
          new TypeMapping(unused -> DataTypes.StringType, wide -> TextReader.STRING, form, use));
    }
  }

  private static void map(Function<SqlType, DataType> decimal, String... names) {
    for (String name : names) {
      TABLE.put(
          name,
          new TypeMapping(
              decimal,
              wide -> NumberReaders.decimal((DecimalType) wide),
              SelectForm.COLUMN,
              Use.ALWAYS));
    }
  }
}

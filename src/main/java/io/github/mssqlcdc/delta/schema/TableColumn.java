package io.github.mssqlcdc.delta.schema;

import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A column of a table whose columns are constants of an enum. */
public interface TableColumn {

  /** Its name, type and comment. */
  StructField field();

  /** Its name in the table. */
  default String columnName() {
    return field().name();
  }

  default Column column() {
    return functions.col(columnName());
  }

  /** Its value in a row of the table; null where there is none. */
  default <T> T of(Row row) {
    return row.getAs(columnName());
  }

  /** The schema of a table of these columns, in their order. */
  static StructType schema(TableColumn... columns) {
    return new StructType(Stream.of(columns).map(TableColumn::field).toArray(StructField[]::new));
  }
}

package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.map_from_arrays;
import static org.apache.spark.sql.functions.transform;
import static org.apache.spark.sql.functions.try_element_at;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * The names in {@code _unknown_columns}. A query may spell a column otherwise than bronze: Spark
 * puts its values where they belong, but a name in a list is compared letter by letter.
 */
public final class UnknownNames {
  private UnknownNames() {}

  /** The rows with these columns named as they are spelt here. */
  public static Dataset<Row> spelt(Dataset<Row> rows, List<String> columns) {
    if (columns.isEmpty()
        || !Arrays.asList(rows.columns()).contains(BronzeColumns.UNKNOWN_COLUMNS)) {
      return rows;
    }
    Column spelt =
        map_from_arrays(
            array(columns.stream().map(name -> lower(lit(name))).toArray(Column[]::new)),
            array(columns.stream().map(functions::lit).toArray(Column[]::new)));
    return rows.withColumn(
        BronzeColumns.UNKNOWN_COLUMNS,
        transform(
            functions.col(BronzeColumns.UNKNOWN_COLUMNS),
            name -> coalesce(try_element_at(spelt, lower(name)), name)));
  }

  /** Whether one of the columns read is spelt otherwise there. */
  static boolean differ(String[] there, String[] read) {
    List<String> names = Arrays.asList(there);
    return Arrays.stream(read)
        .anyMatch(name -> !names.contains(name) && names.stream().anyMatch(name::equalsIgnoreCase));
  }
}

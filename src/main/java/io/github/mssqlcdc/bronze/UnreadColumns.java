package io.github.mssqlcdc.bronze;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.array_union;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * Columns of bronze's that a query doesn't read, though an earlier one did: they are NULL in its
 * rows, and the rows say that this is nobody's value.
 */
final class UnreadColumns {
  private UnreadColumns() {}

  /** The rows with these columns named among those that are unknown. */
  static Dataset<Row> named(Dataset<Row> rows, List<String> unread) {
    if (unread.isEmpty()) {
      return rows;
    }
    Column names = array(unread.stream().map(functions::lit).toArray(Column[]::new));
    boolean hasUnknown = Arrays.asList(rows.columns()).contains(BronzeColumns.UNKNOWN_COLUMNS);
    Column unknown =
        hasUnknown
            ? coalesce(array_union(col(BronzeColumns.UNKNOWN_COLUMNS), names), names)
            : names;
    return rows.withColumn(BronzeColumns.UNKNOWN_COLUMNS, unknown);
  }
}

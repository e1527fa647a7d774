package io.github.mssqlcdc.delta.table;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;

/**
 * What a table is created as.
 *
 * @param comment what the table is
 * @param columns its columns, comments in their fields
 * @param statistics names of the columns that Delta keeps statistics of
 * @param properties further table properties
 */
public record TableDefinition(
    String comment, StructType columns, List<String> statistics, Map<String, String> properties) {

  public TableDefinition {
    statistics = List.copyOf(statistics);
    properties = Map.copyOf(properties);
  }
}

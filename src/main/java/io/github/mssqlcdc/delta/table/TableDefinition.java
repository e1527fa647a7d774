package io.github.mssqlcdc.delta.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * What a table is created as.
 *
 * @param comment what the table is
 * @param columns its columns, comments in their fields
 * @param statistics names of the columns that Delta keeps statistics of
 * @param properties further table properties
 * @param clustering names of the columns that its files are clustered by; they have statistics
 */
public record TableDefinition(
    String comment,
    StructType columns,
    List<String> statistics,
    Map<String, String> properties,
    List<String> clustering) {

  public TableDefinition {
    statistics = List.copyOf(statistics);
    properties = Map.copyOf(properties);
    clustering = List.copyOf(clustering);
  }

  /** Of a table whose rows lie as they came. */
  public TableDefinition(
      String comment, StructType columns, List<String> statistics, Map<String, String> properties) {
    this(comment, columns, statistics, properties, List.of());
  }

  /** The same with further properties. */
  public TableDefinition with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(properties);
    all.putAll(more);
    return new TableDefinition(comment, columns, statistics, all, clustering);
  }

  /** Whether Delta keeps minimum and maximum of a type's values: it refuses some. */
  public static boolean hasStatistics(DataType type) {
    return !(type instanceof ArrayType
        || type instanceof BinaryType
        || type instanceof BooleanType);
  }
}

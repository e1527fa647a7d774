package io.github.mssqlcdc.delta.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The statements that bring a table that is there to its definition. They hold names and texts of
 * our own only: Spark puts values of the environment in place of what looks like a variable, also
 * within a quoted name.
 */
record TableSql(DeltaTableRef table, TableDefinition definition) {

  /**
   * Columns with comments that the table lacks, and comments that differ; what else it has stays as
   * it is. Columns without a comment come with the rows.
   *
   * @param there the table's columns
   * @param stamp properties that say that it is done; set last, with the table's comment
   */
  List<String> upgrade(StructType there, Map<String, String> stamp) {
    List<String> changes = new ArrayList<>();
    String added =
        Arrays.stream(definition.columns().fields())
            .filter(field -> comment(field).isPresent() && find(there, field).isEmpty())
            .map(TableSql::column)
            .collect(Collectors.joining(", "));
    if (!added.isEmpty()) {
      changes.add("ADD COLUMNS (" + added + ")");
    }
    for (StructField field : definition.columns().fields()) {
      Optional<String> comment = comment(field);
      if (comment.isPresent()
          && find(there, field).filter(held -> !comment(held).equals(comment)).isPresent()) {
        changes.add(
            "ALTER COLUMN " + ColumnNames.quoted(field.name()) + " COMMENT " + text(comment.get()));
      }
    }
    Map<String, String> properties = new TreeMap<>(stamp);
    properties.put("comment", definition.comment());
    changes.add("SET" + clause(properties));
    return changes.stream().map(change -> "ALTER TABLE " + table.sql() + " " + change).toList();
  }

  private static Optional<StructField> find(StructType there, StructField field) {
    return Arrays.stream(there.fields())
        .filter(held -> held.name().equalsIgnoreCase(field.name()))
        .findFirst();
  }

  private static String column(StructField field) {
    return ColumnNames.quoted(field.name())
        + " "
        + field.dataType().sql()
        + comment(field).map(comment -> " COMMENT " + text(comment)).orElse("");
  }

  private static Optional<String> comment(StructField field) {
    return field.getComment().isDefined()
        ? Optional.of(field.getComment().get())
        : Optional.empty();
  }

  private static String clause(Map<String, String> properties) {
    return properties.entrySet().stream()
        .map(property -> text(property.getKey()) + " = " + text(property.getValue()))
        .collect(Collectors.joining(", ", " TBLPROPERTIES (", ")"));
  }

  private static String text(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}

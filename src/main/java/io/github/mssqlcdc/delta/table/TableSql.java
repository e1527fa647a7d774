package io.github.mssqlcdc.delta.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The statements that make a table as it is defined, or bring one that is there to it. */
record TableSql(DeltaTableRef table, TableDefinition definition) {

  /** What the table is created with. */
  Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>(definition.properties());
    if (ColumnNames.needMapping(definition.columns())) {
      properties.put(ColumnNames.MAPPING_MODE, ColumnNames.BY_NAME);
    }
    properties.put("delta.dataSkippingStatsColumns", ColumnNames.list(definition.statistics()));
    return properties;
  }

  String create() {
    return "CREATE TABLE IF NOT EXISTS "
        + table.sql()
        + " ("
        + columns(field -> true)
        + ") USING delta COMMENT "
        + text(definition.comment())
        + clause(properties());
  }

  /**
   * Columns that the table lacks and comments that differ; what else it has stays as it is.
   *
   * @param there the table's columns
   * @param stamp properties that say that it is done; set last, with the table's comment
   */
  List<String> upgrade(StructType there, Map<String, String> stamp) {
    List<String> changes = new ArrayList<>();
    String added = columns(field -> find(there, field).isEmpty());
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

  private String columns(Predicate<StructField> wanted) {
    return Arrays.stream(definition.columns().fields())
        .filter(wanted)
        .map(TableSql::column)
        .collect(Collectors.joining(", "));
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

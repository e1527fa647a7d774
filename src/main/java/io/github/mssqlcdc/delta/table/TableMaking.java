package io.github.mssqlcdc.delta.table;

import io.delta.tables.DeltaTable;
import io.delta.tables.DeltaTableBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Makes a table as it is defined, where other writers may be doing the same. */
record TableMaking(SparkSession spark, LakeTable table) {
  /** What Delta says of a folder that has files, or a log without commits. */
  private static final Set<String> IN_THE_WAY =
      Set.of("DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION", "DELTA_TABLE_NOT_FOUND");

  /** How long another writer's first commit is waited for: a second. */
  private static final int LOOKS = 10;

  private static final long NANOS_PER_LOOK = 100_000_000;

  void create(TableDefinition definition) {
    try {
      builder(definition).execute();
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      if (!table.exists() && !isInTheWay(e)) {
        throw e;
      }
    }
    if (!comesToExist()) {
      createOverRemains(definition);
    }
  }

  private DeltaTableBuilder builder(TableDefinition definition) {
    DeltaTableBuilder builder =
        DeltaTable.createIfNotExists(spark).tableName(table.ref().inSessionCatalog());
    if (table.ref().isPath()) {
      // Delta would make the identifier of the path itself, but without doubling backticks
      builder = builder.location(table.ref().text());
    }
    builder = builder.comment(definition.comment()).addColumns(definition.columns());
    if (!definition.clustering().isEmpty()) {
      builder =
          builder.clusterBy(
              definition.clustering().stream().map(ColumnNames::parsed).toArray(String[]::new));
    }
    for (Map.Entry<String, String> property : properties(definition).entrySet()) {
      builder = builder.property(property.getKey(), property.getValue());
    }
    return builder;
  }

  private static Map<String, String> properties(TableDefinition definition) {
    Map<String, String> properties = new HashMap<>(definition.properties());
    if (ColumnNames.needMapping(definition.columns())) {
      properties.put(ColumnNames.MAPPING_MODE, ColumnNames.BY_NAME);
    }
    properties.put("delta.dataSkippingStatsColumns", ColumnNames.list(definition.statistics()));
    return properties;
  }

  /** What is there is of one who is about to make the table, or who died. */
  private boolean isInTheWay(Exception e) {
    return table.ref().isPath()
        && e instanceof SparkThrowable error
        && IN_THE_WAY.contains(String.valueOf(error.getCondition()));
  }

  private boolean comesToExist() {
    for (int look = 0; look < LOOKS && !table.exists(); look++) {
      LockSupport.parkNanos(NANOS_PER_LOOK);
    }
    return table.exists();
  }

  /** An append makes a table where CREATE TABLE won't. */
  private void createOverRemains(TableDefinition definition) {
    try {
      spark
          .createDataFrame(List.<Row>of(), definition.columns())
          .write()
          .format("delta")
          .mode(SaveMode.Append)
          .options(properties(definition))
          .save(table.ref().text());
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      if (!table.exists()) {
        throw e;
      }
    }
    // the writer takes Delta's own properties only, and no comment
    upgrade(definition, definition.properties());
  }

  void upgrade(TableDefinition definition, Map<String, String> stamp) {
    for (int attempt = 1; !isStamped(stamp); attempt++) {
      StructType before = table.schema();
      try {
        new TableSql(table.ref(), definition).upgrade(before, stamp).forEach(spark::sql);
      } catch (Exception e) { // Spark throws checked exceptions undeclared
        boolean isBehind = !table.schema().equals(before) || ConflictRetry.isConflict(e);
        if (!isBehind || attempt == ConflictRetry.ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private boolean isStamped(Map<String, String> stamp) {
    return table.properties().entrySet().containsAll(stamp.entrySet());
  }
}

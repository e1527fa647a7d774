package io.github.mssqlcdc.delta.table;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Makes a table as it is defined, where other writers may be doing the same. */
record TableMaking(SparkSession spark, LakeTable table) {
  /** How long another writer's first commit is waited for: a second. */
  private static final int LOOKS = 10;

  private static final long NANOS_PER_LOOK = 100_000_000;

  void create(TableDefinition definition) {
    TableSql sql = new TableSql(table.ref(), definition);
    try {
      spark.sql(sql.create());
      if (table.exists()) {
        return;
      }
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      if (!table.exists() && !isInTheWay(e)) {
        throw e;
      }
    }
    if (!comesToExist()) {
      createOverRemains(definition, sql);
    }
  }

  /** The folder has files, but no first commit: of one who is about to make it, or who died. */
  private boolean isInTheWay(Exception e) {
    return table.ref().isPath()
        && e instanceof SparkThrowable error
        && "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION".equals(error.getCondition());
  }

  private boolean comesToExist() {
    for (int look = 0; look < LOOKS && !table.exists(); look++) {
      LockSupport.parkNanos(NANOS_PER_LOOK);
    }
    return table.exists();
  }

  /** An append makes a table where CREATE TABLE won't. */
  private void createOverRemains(TableDefinition definition, TableSql sql) {
    try {
      spark
          .createDataFrame(List.<Row>of(), definition.columns())
          .write()
          .format("delta")
          .mode(SaveMode.Append)
          .options(sql.properties())
          .save(table.ref().text());
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      if (!table.exists()) {
        throw e;
      }
    }
    upgrade(definition, sql.properties());
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

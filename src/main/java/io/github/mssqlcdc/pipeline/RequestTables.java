package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a request: they are there or may be made, and are two.
 *
 * @param facts null: none are kept
 */
record RequestTables(LakeTable target, @Nullable LakeTable facts) {

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if a name or path leads nowhere, or
   *     both lead to one table
   */
  static RequestTables open(
      SparkSession spark, DeltaTableRef targetRef, @Nullable DeltaTableRef factsRef) {
    LakeTable target = LakeTable.of(spark, targetRef);
    target.requirePlace();
    if (factsRef == null) {
      return new RequestTables(target, null);
    }
    LakeTable facts = LakeTable.of(spark, factsRef);
    facts.requirePlace();
    if (facts.place().equals(target.place())) {
      throw Arguments.invalid(
          "Invalid factsTable '"
              + factsRef
              + "': it is the target"
              + (factsRef.equals(targetRef) ? "" : " '" + targetRef + "'")
              + "; give the facts a table of its own");
    }
    return new RequestTables(target, facts);
  }
}

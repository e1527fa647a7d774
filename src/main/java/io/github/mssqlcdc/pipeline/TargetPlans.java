package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.plans.PlansTable;
import java.time.Clock;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The plans table beside a target. It isn't for two threads, so it is opened anew for each.
 *
 * @param target bronze
 * @param clock in UTC
 */
record TargetPlans(SparkSession spark, DeltaTableRef target, Clock clock) {

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the table can't be where it is to
   *     be
   */
  void requirePlace() {
    table().requirePlace();
  }

  /** The table, made if there is none. */
  PlansTable open() {
    return PlansTable.open(table(), clock);
  }

  /** The table, if there is one. */
  Optional<PlansTable> there() {
    LakeTable table = table();
    return table.exists() ? Optional.of(PlansTable.open(table, clock)) : Optional.empty();
  }

  private LakeTable table() {
    return LakeTable.of(spark, target.withSuffix(PlansTable.SUFFIX));
  }
}

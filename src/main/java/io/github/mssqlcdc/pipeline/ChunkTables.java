package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.DeltaStore;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable;
import java.time.Clock;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The tables of a chunked snapshot.
 *
 * @param target bronze; the plans table stands beside it
 */
record ChunkTables(SparkSession spark, DeltaTableRef target, DeltaTableRef facts, Clock clock) {

  /**
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the plans table can't be where it
   *     is to be
   */
  void requirePlace() {
    LakeTable.of(spark, plansRef()).requirePlace();
  }

  PlansTable plans() {
    return PlansTable.open(LakeTable.of(spark, plansRef()), clock);
  }

  /** What the plans table keeps of an open; empty if that isn't there, or doesn't know it. */
  Optional<Extent> extent(String appId, int open) {
    LakeTable table = LakeTable.of(spark, plansRef());
    return table.exists() ? PlansTable.open(table, clock).extent(appId, open) : Optional.empty();
  }

  private DeltaTableRef plansRef() {
    return target.withSuffix(PlansTable.SUFFIX);
  }

  /**
   * The tables opened anew: they aren't for two threads.
   *
   * @param source where the rows are from
   */
  DeltaStore store(String appId, Source source) {
    return new DeltaStore(
        source.bronze(LakeTable.of(spark, target)),
        FactsTable.open(LakeTable.of(spark, facts)),
        this::plans,
        appId,
        clock);
  }
}

package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.DeltaStore;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.plans.PlansTable;
import java.time.Clock;
import java.util.List;
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

  private DeltaTableRef plansRef() {
    return target.withSuffix(PlansTable.SUFFIX);
  }

  /**
   * The tables opened anew: they aren't for two threads.
   *
   * @param keys names of the source's key columns, for bronze's statistics
   */
  DeltaStore store(String appId, List<String> keys) {
    return new DeltaStore(
        new BronzeTable(LakeTable.of(spark, target), keys),
        FactsTable.open(LakeTable.of(spark, facts)),
        this::plans,
        appId,
        clock);
  }
}

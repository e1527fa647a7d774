package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.delta.table.DeltaTableRef;
import io.github.mssqlcdc.delta.table.LakeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import java.time.Clock;
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

  /** What the facts tell of the target's snapshots; null while there are no facts. */
  @Nullable SnapshotEvents eventsThere(String appId, Clock clock) {
    return facts == null || !facts.exists() ? null : events(facts, appId, clock);
  }

  /** The same, the facts being made if there are none; null if none are kept. */
  @Nullable SnapshotEvents events(String appId, Clock clock) {
    return facts == null ? null : events(facts, appId, clock);
  }

  private SnapshotEvents events(LakeTable table, String appId, Clock clock) {
    return new SnapshotEvents(FactsTable.open(table), appId, target.ref().text(), clock);
  }
}

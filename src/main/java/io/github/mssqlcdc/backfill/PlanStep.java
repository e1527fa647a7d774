package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.snapshot.ChunkEvents;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the chunks of a snapshot, once and for good: into the plans table, then their count into
 * the facts.
 */
record PlanStep(
    SnapshotId id, PlansTable plans, ChunkEvents events, ChunkPlan plan, long chunkRows) {
  private static final Logger LOG = LoggerFactory.getLogger(PlanStep.class);

  /** How many chunks there are. */
  int run(Extent extent) {
    if (!plans.hasPlan(id)) {
      LOG.info("{}: planning chunks of about {} rows, cut on {}", id, chunkRows, extent.keys());
      List<ChunkBounds> chunks = plan.plan(extent, chunkRows);
      if (plans.append(id, extent, chunkRows, chunks)) {
        LOG.info("{}: planned {} chunks", id, chunks.size());
      }
    }
    PlansTable.Planned planned = plans.plannedChunks(id);
    if (planned.chunkRows() != chunkRows) {
      LOG.warn(
          "{}: its chunks are planned for {} rows each, which stays; chunkRows {} has no effect",
          id,
          planned.chunkRows(),
          chunkRows);
    }
    events.planned(extent.kind(), planned.chunkRows(), planned.chunks());
    return planned.chunks();
  }
}

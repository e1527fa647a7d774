package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.plans.ChunkBounds;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable.Planned;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the chunks of a snapshot, once and for good: into the plans table, then their count into
 * the facts.
 */
record PlanStep(SnapshotId id, ChunkStore store, ChunkPlan plan, long chunkRows) {
  private static final Logger LOG = LoggerFactory.getLogger(PlanStep.class);

  /** How many chunks there are. */
  int run(Extent extent) {
    if (!store.hasPlan()) {
      List<ChunkBounds> chunks = plan.plan(extent, chunkRows);
      if (store.keepPlan(extent, chunkRows, chunks)) {
        LOG.info("{}: planned {} chunks on {}", id, chunks.size(), extent.keys());
      }
    }
    Planned planned = store.plan();
    if (planned.chunkRows() != chunkRows) {
      LOG.warn(
          "{}: its chunks are planned for {} rows each, which stays; chunkRows {} has no effect",
          id,
          planned.chunkRows(),
          chunkRows);
    }
    store.tellPlan(extent.kind(), planned);
    return planned.chunks();
  }
}

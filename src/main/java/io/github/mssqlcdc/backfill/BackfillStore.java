package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;

/** Where a target's chunked snapshots are kept. Used by one thread. */
public interface BackfillStore {

  /** The target as the caller spelt it. */
  String target();

  /** Whether another spelling leads to the target, too. */
  boolean isCalled(String spelling);

  /** The stream's snapshots as the facts have them now. */
  SnapshotState state();

  /** What is kept of one of them. */
  ChunkStore chunks(SnapshotOpen open);
}

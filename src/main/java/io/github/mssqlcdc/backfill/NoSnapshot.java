package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.util.Optional;

/** Why there are no chunks to read. */
final class NoSnapshot {
  private static final String START =
      " Start the stream with bootstrap and SnapshotMode.CHUNKED first";

  private NoSnapshot() {}

  static String reason(SnapshotState state, String appId, BackfillStore store) {
    String target = store.target();
    Optional<SnapshotOpen> newest = state.newest();
    if (newest.isEmpty()) {
      return "The facts tell of no snapshot of '" + appId + "' into '" + target + "'." + START;
    }
    SnapshotOpen open = newest.get();
    if (!store.isCalled(open.target())) {
      return "The snapshot of '"
          + appId
          + "' goes into '"
          + open.target()
          + "', not into '"
          + target
          + "': name that target; or, if the table was renamed, give the snapshot up with"
          + " abandonSnapshot(\""
          + open.target()
          + "\"), and start the stream again, which opens another";
    }
    return open.isChunked()
        ? open.description()
            + " was given up, or the stream has skipped changes after it (data_skipped)."
            + START
        : open.description() + " is no chunked one";
  }

  static InvalidRequestException lostOpen(SnapshotOpen open) {
    return lost(open.description(), "its open");
  }

  static InvalidRequestException lostPlan(SnapshotId id, int chunk) {
    return lost(id.toString(), "its chunks from " + chunk + " on");
  }

  private static InvalidRequestException lost(String snapshot, String what) {
    return new InvalidRequestException(
        ErrorCode.INVALID_TARGET,
        "Cannot go on with "
            + snapshot
            + ": the plans table doesn't have "
            + what
            + ". Nothing may be deleted from it while a snapshot is open. Give the snapshot up with"
            + " abandonSnapshot, and open another");
  }
}

package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.bronze.BatchKey;
import io.github.mssqlcdc.bronze.BatchRange;
import io.github.mssqlcdc.bronze.CommittedBatch;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;

/** Errors that say: somebody else writes under this appId. */
final class ConflictingWriter {
  private static final String ADVICE =
      ". Another writer uses this appId: a second job, a driver that was thought dead, or this job"
          + " with a new or older checkpoint. Stop the other one, or go on with the checkpoint that"
          + " wrote these batches, or give this stream an appId of its own";

  private ConflictingWriter() {}

  static CdcException otherRange(String target, BatchKey key, BatchRange own, BatchRange other) {
    return error(target, key, own, "the table holds that batch with " + other);
  }

  static CdcException unknownRange(String target, BatchKey key, BatchRange own) {
    return error(target, key, own, "the table holds that batch id, but no row of this range");
  }

  /**
   * @param latest the sink's batch that reaches into this one's range
   * @param end where it ends
   */
  static CdcException overlap(
      String target, BatchKey key, BatchRange own, BatchKey latest, Lsn end) {
    return error(
        target,
        key,
        own,
        "the table holds everything up to " + end + " under another batch id, " + latest.batchId());
  }

  static CdcException otherFacts(String target, BatchKey key, BatchRange own, Lsn end) {
    return error(target, key, own, "the facts hold that batch with the end " + end);
  }

  static CdcException laterFacts(String target, BatchKey key, BatchRange own, long latest) {
    return error(target, key, own, "the facts hold batches up to " + latest + ", and not this one");
  }

  static CdcException newCheckpoint(
      String target, String sinkId, String checkpoint, String has, long batchId) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot start '"
            + sinkId
            + "' on "
            + target
            + ": it has written batches up to "
            + batchId
            + " there, but the checkpoint "
            + checkpoint
            + " "
            + has
            + ADVICE);
  }

  static CdcException othersCheckpoint(
      String target, String sinkId, String checkpoint, CommittedBatch other) {
    String owner = other.key().appId();
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot start '"
            + sinkId
            + "' on "
            + target
            + ": the checkpoint "
            + checkpoint
            + " is that of '"
            + owner
            + "', which has written its batch "
            + other.key().batchId()
            + ", "
            + other.range()
            + ", there; what is replayed would be appended a second time. Go on with appId '"
            + owner
            + "', or give '"
            + sinkId
            + "' a checkpoint and a target of its own");
  }

  private static CdcException error(String target, BatchKey key, BatchRange own, String found) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot write batch "
            + key.batchId()
            + " of '"
            + key.appId()
            + "', "
            + own
            + ", to "
            + target
            + ": "
            + found
            + ADVICE);
  }
}

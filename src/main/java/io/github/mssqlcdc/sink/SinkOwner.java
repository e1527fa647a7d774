package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.facts.FactsTable;
import io.github.mssqlcdc.offset.Offset;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Finds out, before a stream starts, whether its checkpoint is the one that wrote what the tables
 * hold under its id.
 *
 * @param sinkId the stream's id in both tables
 * @param checkpoint where its checkpoint is
 * @param known the highest batch that the checkpoint has planned; -1 for a new one
 */
public record SinkOwner(String sinkId, String checkpoint, long known) {

  /**
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if the table holds a batch
   *     that the checkpoint doesn't know
   */
  public void check(BronzeTable bronze) {
    check(bronze.name(), bronze.latestBatch(sinkId));
  }

  /** The same of the facts, which have the batches without rows, too. */
  public void check(String target, FactsTable facts) {
    check(target, facts.latestBatch(sinkId));
  }

  /**
   * The checkpoint may also be another stream's, whose batches a replay would append anew.
   *
   * @param planned the end that the checkpoint has of a batch; empty if it has dropped it
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if a batch that it planned is
   *     in the table under another id
   */
  public void checkCheckpoint(BronzeTable bronze, LongFunction<Optional<Offset>> planned) {
    if (known < 0) {
      return;
    }
    bronze
        .batches()
        .recentBatches()
        .takeWhile(batch -> !batch.key().appId().equals(sinkId))
        .filter(batch -> batch.key().batchId() <= known)
        .filter(
            batch ->
                planned
                    .apply(batch.key().batchId())
                    .filter(end -> end.equals(batch.range().end()))
                    .isPresent())
        .findFirst()
        .ifPresent(
            batch -> {
              throw ConflictingWriter.othersCheckpoint(bronze.name(), sinkId, checkpoint, batch);
            });
  }

  private void check(String target, OptionalLong latest) {
    if (latest.isPresent() && latest.getAsLong() > known) {
      throw ConflictingWriter.newCheckpoint(
          target,
          sinkId,
          checkpoint,
          known < 0 ? "is new" : "knows batches up to " + known + " only",
          latest.getAsLong());
    }
  }
}

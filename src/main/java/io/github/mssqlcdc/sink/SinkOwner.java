package io.github.mssqlcdc.sink;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.facts.FactsTable;
import java.util.OptionalLong;

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

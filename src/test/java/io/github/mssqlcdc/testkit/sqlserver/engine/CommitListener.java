package io.github.mssqlcdc.testkit.sqlserver.engine;

import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Told of each transaction that changed rows, in commit order, under the engine's commit lock. */
public interface CommitListener {

  void committed(Commit commit);

  /**
   * @param transactionId unique per database
   * @param beganAt on the server's local clock
   * @param endedAt on the server's local clock
   * @param changes in the order in which they were made
   */
  record Commit(
      long transactionId, LocalDateTime beganAt, LocalDateTime endedAt, List<RowChange> changes) {}

  /**
   * @param tableId object id of the table
   * @param statement number of the statement inside the transaction, from 1
   * @param before column values by the table's column order; null for an insert
   * @param after likewise; null for a delete
   */
  record RowChange(
      int tableId,
      int statement,
      @Nullable Object @Nullable [] before,
      @Nullable Object @Nullable [] after) {}
}

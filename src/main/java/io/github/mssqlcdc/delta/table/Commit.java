package io.github.mssqlcdc.delta.table;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A commit of a Delta table.
 *
 * @param version its table version
 * @param transactions the transaction ids that it carries
 * @param userMetadata what its writer said of it; null if nothing
 * @param metrics Delta's operation metrics, for example {@code numOutputRows}
 * @param takesRows whether it takes rows away that were there, as a DELETE or a RESTORE does
 */
public record Commit(
    long version,
    List<TransactionId> transactions,
    @Nullable String userMetadata,
    Map<String, String> metrics,
    boolean takesRows) {

  public Commit {
    transactions = List.copyOf(transactions);
    metrics = Map.copyOf(metrics);
  }

  /** Rows that it appended; null where Delta didn't count them. */
  public @Nullable Long rows() {
    String rows = metrics.get("numOutputRows");
    return rows == null ? null : Long.valueOf(rows);
  }

  boolean carries(TransactionId id) {
    return transactions.contains(id);
  }
}

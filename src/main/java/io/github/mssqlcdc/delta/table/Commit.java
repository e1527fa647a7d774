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
 * @param operation what Delta calls it, for example {@code MERGE}; null if it doesn't say
 */
public record Commit(
    long version,
    List<TransactionId> transactions,
    @Nullable String userMetadata,
    Map<String, String> metrics,
    boolean takesRows,
    @Nullable String operation) {

  public Commit {
    transactions = List.copyOf(transactions);
    metrics = Map.copyOf(metrics);
  }

  /** Rows that it appended; null where Delta didn't count them. */
  public @Nullable Long rows() {
    String rows = metrics.get("numOutputRows");
    return rows == null ? null : Long.valueOf(rows);
  }

  /** Whether it puts an older version, or another table, in the table's place. */
  public boolean isOtherTable() {
    return operation != null
        && (operation.equals("RESTORE")
            || operation.equals("CLONE")
            || operation.contains("REPLACE TABLE"));
  }

  boolean carries(TransactionId id) {
    return transactions.contains(id);
  }
}

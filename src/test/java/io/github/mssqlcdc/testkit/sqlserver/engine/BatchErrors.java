package io.github.mssqlcdc.testkit.sqlserver.engine;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.util.Set;

/** What an error ends: its statement, the batch, or the transaction too. */
final class BatchErrors {
  private static final Set<Integer> END_BATCH =
      Set.of(
          102, 105, 107, 108, 113, 116, 137, 141, 155, 156, 174, 195, 205, 206, 207, 208, 209, 257,
          402, 1033, 4104, 4121, 8117, 8120, 8155);
  private static final Set<Integer> END_TRANSACTION =
      Set.of(241, 242, 245, 1205, 3951, 3952, 3960, 8114, 8169);

  private BatchErrors() {}

  static boolean endBatch(SqlServerError error) {
    return END_BATCH.contains(error.number()) || error.severity() >= 20;
  }

  static boolean endTransaction(SqlServerError error) {
    return END_TRANSACTION.contains(error.number());
  }
}

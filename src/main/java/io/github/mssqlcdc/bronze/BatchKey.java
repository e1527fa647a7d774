package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.delta.table.TransactionId;

/**
 * Names a micro-batch for good: the sink's id and Spark's batch id.
 *
 * @param appId sink id
 * @param batchId Spark's batch id, counted per checkpoint
 */
public record BatchKey(String appId, long batchId) {

  TransactionId transaction() {
    return new TransactionId(appId, batchId);
  }
}

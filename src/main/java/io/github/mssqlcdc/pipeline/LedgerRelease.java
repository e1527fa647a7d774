package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.registry.JvmRegistry;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.jspecify.annotations.Nullable;

/** Takes a query's ledger out of the registry when the query ends, and itself off the session. */
final class LedgerRelease extends StreamingQueryListener {
  private final SparkSession spark;
  private final String ledgerId;
  private volatile @Nullable UUID run;

  private LedgerRelease(SparkSession spark, String ledgerId) {
    this.spark = spark;
    this.ledgerId = ledgerId;
  }

  /** Watches a query that is about to start. */
  static LedgerRelease watching(SparkSession spark, String ledgerId) {
    LedgerRelease release = new LedgerRelease(spark, ledgerId);
    spark.streams().addListener(release);
    return release;
  }

  /** Names the query; one that has ended in the meantime is done with at once. */
  void started(StreamingQuery query) {
    run = query.runId();
    if (!query.isActive()) {
      release();
    }
  }

  void release() {
    var unused = JvmRegistry.remove(BatchLedger.class, ledgerId);
    spark.streams().removeListener(this);
  }

  @Override
  public void onQueryStarted(QueryStartedEvent event) {}

  @Override
  public void onQueryProgress(QueryProgressEvent event) {}

  @Override
  public void onQueryTerminated(QueryTerminatedEvent event) {
    if (event.runId().equals(run)) {
      release();
    }
  }
}

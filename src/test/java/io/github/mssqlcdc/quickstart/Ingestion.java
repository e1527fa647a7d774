package io.github.mssqlcdc.quickstart;

import io.github.mssqlcdc.metric.ReconcileResult;
import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.pipeline.ApplyResult;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.pipeline.Finalization;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/** The job itself: what a user of the library writes. */
final class Ingestion {
  private static final String APP_ID = "quickstart";

  private final CdcStream orders;
  private final Finalization verdicts;
  private final Lake lake;

  Ingestion(SparkSession spark, OrdersSource source, Lake lake, Narrator narrator) {
    this.orders = CdcStream.of(spark, source.options());
    this.verdicts = Finalization.of(spark, lake.control());
    this.lake = lake;
    spark.streams().addListener(new BatchesTold(narrator));
  }

  /** Brings bronze up to what the source has captured by now, and silver up to bronze. */
  ApplyResult run() throws StreamingQueryException, TimeoutException {
    StreamingQuery query =
        orders
            .toDelta(lake.bronze())
            .appId(APP_ID)
            .checkpoint(lake.checkpoint())
            .factsTable(lake.facts())
            .trigger(Trigger.AvailableNow())
            .bootstrap(true)
            .start();
    query.awaitTermination();
    verdicts.advance(lake.bronze(), query, Granularity.MINUTE);
    return orders
        .applyChanges(lake.bronze(), lake.silver())
        .appId(APP_ID)
        .factsTable(lake.facts())
        .controlTable(lake.control())
        .run();
  }

  /** Compares silver with the source table, every row of both. */
  ReconcileResult reconcile() {
    return orders
        .reconcile(lake.silver())
        .bronze(lake.bronze())
        .appId(APP_ID)
        .factsTable(lake.facts())
        .controlTable(lake.control())
        .sample(1)
        .run();
  }

  private static final class BatchesTold extends StreamingQueryListener {
    private final Narrator narrator;

    BatchesTold(Narrator narrator) {
      this.narrator = narrator;
    }

    @Override
    public void onQueryStarted(QueryStartedEvent event) {
      narrator.step("  the query runs");
    }

    @Override
    public void onQueryProgress(QueryProgressEvent event) {
      StreamingQueryProgress batch = event.progress();
      narrator.step("  batch %d: %,d rows", batch.batchId(), batch.numInputRows());
    }

    @Override
    public void onQueryTerminated(QueryTerminatedEvent event) {}
  }
}

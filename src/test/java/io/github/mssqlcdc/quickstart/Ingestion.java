package io.github.mssqlcdc.quickstart;

import io.github.mssqlcdc.pipeline.CdcStream;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;

/** The job itself: what a user of the library writes. */
final class Ingestion {
  private final SparkSession spark;
  private final OrdersSource source;
  private final Lake lake;

  Ingestion(SparkSession spark, OrdersSource source, Lake lake, Narrator narrator) {
    this.spark = spark;
    this.source = source;
    this.lake = lake;
    spark.streams().addListener(new BatchesTold(narrator));
  }

  /** Brings bronze up to what the source has captured by now. */
  void run() throws StreamingQueryException, TimeoutException {
    StreamingQuery query =
        CdcStream.of(spark, source.options())
            .toDelta(lake.bronze())
            .appId("quickstart")
            .checkpoint(lake.checkpoint())
            .factsTable(lake.facts())
            .trigger(Trigger.AvailableNow())
            .bootstrap(true)
            .start();
    query.awaitTermination();
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

package io.github.mssqlcdc.quickstart;

import io.github.mssqlcdc.pipeline.CdcStream;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** The job itself: what a user of the library writes. */
final class Ingestion {
  private final SparkSession spark;
  private final OrdersSource source;
  private final Lake lake;

  Ingestion(SparkSession spark, OrdersSource source, Lake lake) {
    this.spark = spark;
    this.source = source;
    this.lake = lake;
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
}

package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("spark")
@SuppressWarnings("NullAway.Init")
final class LedgerReleaseTest {
  private static final String ID = "ledger of LedgerReleaseTest";

  @TempDir private Path folder;
  private final SparkSession spark = TestSession.get();
  private int listeners;
  private LedgerRelease release;

  @BeforeEach
  void watch() {
    listeners = spark.streams().listListeners().length;
    assertThat(JvmRegistry.shared(BatchLedger.class, ID, StreamLedger::new)).isNotNull();
    release = LedgerRelease.watching(spark, ID);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(JvmRegistry.find(BatchLedger.class, ID)).isEmpty();
    assertThat(spark.streams().listListeners()).hasSize(listeners);
  }

  private StreamingQuery query() throws Exception {
    return spark
        .readStream()
        .format("rate")
        .load()
        .writeStream()
        .format("noop")
        .option("checkpointLocation", folder.toString())
        .start();
  }

  private void awaitListeners() throws Exception {
    ((org.apache.spark.sql.classic.SparkSession) spark)
        .sparkContext()
        .listenerBus()
        .waitUntilEmpty();
  }

  @Test
  void theEndOfItsQueryReleasesIt() throws Exception {
    StreamingQuery query = query();
    release.started(query);
    assertThat(JvmRegistry.find(BatchLedger.class, ID)).isPresent();
    query.stop();
    awaitListeners();
  }

  @Test
  void aQueryThatEndedAtOnceReleasesItToo() throws Exception {
    StreamingQuery query = query();
    query.stop();
    awaitListeners();
    assertThat(JvmRegistry.find(BatchLedger.class, ID)).isPresent();
    release.started(query);
  }

  @Test
  void theEndOfAnotherQueryDoesNot() throws Exception {
    StreamingQuery own = query();
    release.started(own);
    StreamingQuery other =
        spark
            .readStream()
            .format("rate")
            .load()
            .writeStream()
            .format("noop")
            .option("checkpointLocation", folder.resolve("other").toString())
            .start();
    other.stop();
    awaitListeners();
    assertThat(JvmRegistry.find(BatchLedger.class, ID)).isPresent();
    own.stop();
    awaitListeners();
  }
}

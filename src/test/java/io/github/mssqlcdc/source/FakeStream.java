package io.github.mssqlcdc.source;

import io.github.mssqlcdc.metric.BatchLedger;
import io.github.mssqlcdc.metric.StreamLedger;
import io.github.mssqlcdc.registry.JvmRegistry;
import io.github.mssqlcdc.testkit.source.FakeSqlServer;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a stream on a fake server, from one checkpoint.
 *
 * @param name what server and ledger are registered by
 * @param folder of the checkpoint
 * @param batches is told where batches ended
 */
record FakeStream(
    String name, Map<String, String> options, StreamLedger ledger, Path folder, Batches batches)
    implements AutoCloseable {

  /** A stream of this server, which is known under a name of its own until the stream is closed. */
  static FakeStream of(FakeSqlServer server, Path folder, Batches batches) {
    String name = "fake_" + UUID.randomUUID();
    StreamLedger ledger = new StreamLedger();
    JvmRegistry.shared(FakeSqlServer.class, name, () -> server);
    JvmRegistry.shared(BatchLedger.class, name, () -> ledger);
    Map<String, String> options = new HashMap<>();
    options.put("url", "jdbc:sqlserver://fake;databaseName=fake");
    options.put("captureInstance", name);
    options.put("numPartitions", "2");
    options.put("_ledger", name);
    return new FakeStream(name, options, ledger, folder, batches);
  }

  @Override
  public void close() {
    JvmRegistry.remove(FakeSqlServer.class, name);
    JvmRegistry.remove(BatchLedger.class, name);
  }

  /** What the ledger has of the batch that ran last. */
  BatchLedger.Batch ledgerBatch() {
    return Objects.requireNonNull(ledger.current());
  }

  DataStreamReader reader() {
    return TestSession.get()
        .readStream()
        .format(FakeStreamProvider.class.getName())
        .options(options);
  }

  /** What ended the run; null if it went well. */
  @Nullable Throwable runQuietly(VoidFunction2<Dataset<Row>, Long> sink) {
    try {
      run(sink);
      return null;
    } catch (Exception e) {
      return e;
    }
  }

  StreamingQueryProgress run(VoidFunction2<Dataset<Row>, Long> sink) throws Exception {
    return run(reader(), sink);
  }

  /** Up to what is captured when the run begins. */
  StreamingQueryProgress run(DataStreamReader reader, VoidFunction2<Dataset<Row>, Long> sink)
      throws Exception {
    StreamingQuery query =
        reader
            .load()
            .writeStream()
            .trigger(Trigger.AvailableNow())
            .option("checkpointLocation", folder.resolve("checkpoint").toUri().toString())
            .foreachBatch(sink)
            .start();
    query.awaitTermination();
    StreamingQueryProgress[] progress = query.recentProgress();
    batches.ends.addAll(Arrays.stream(progress).map(p -> p.sources()[0].endOffset()).toList());
    return query.lastProgress();
  }
}

package io.github.mssqlcdc.source;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.streaming.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a stream on the fake server, from one checkpoint.
 *
 * @param folder of the checkpoint
 * @param batches is told where batches ended
 */
record FakeStream(Map<String, String> options, Path folder, Batches batches) {

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

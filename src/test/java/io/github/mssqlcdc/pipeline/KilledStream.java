package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.testkit.spark.TestSession;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/** A job of its own process, which streams until it is killed. */
final class KilledStream {

  private KilledStream() {}

  /**
   * @param args the folder of tables and checkpoint, then the source's options, name and value in
   *     turn
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    start(TestSession.get(), args[0], options, Trigger.ProcessingTime(0)).awaitTermination();
  }

  static StreamingQuery start(
      SparkSession spark, String folder, Map<String, String> options, Trigger trigger) {
    return CdcStream.of(spark, options)
        .toDelta(folder + "/bronze")
        .appId("orders-v1")
        .checkpoint(folder + "/checkpoint")
        .factsTable(folder + "/facts")
        .bootstrap(true)
        .trigger(trigger)
        .start();
  }
}

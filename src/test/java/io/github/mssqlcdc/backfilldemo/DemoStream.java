package io.github.mssqlcdc.backfilldemo;

import io.github.mssqlcdc.options.SnapshotMode;
import java.util.Map;
import org.apache.spark.sql.streaming.Trigger;

/** The stream's process. */
final class DemoStream {
  /** Option of ours: {@code full} takes the snapshot and ends. */
  static final String MODE = "demo.mode";

  private DemoStream() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = DemoProcess.options(args);
    SnapshotMode mode = SnapshotMode.parse(options.remove(MODE));
    Trigger trigger =
        mode == SnapshotMode.FULL ? Trigger.AvailableNow() : Trigger.ProcessingTime(1000);
    new DemoLake(args[0]).stream(options, mode, trigger).awaitTermination();
    System.exit(0);
  }
}

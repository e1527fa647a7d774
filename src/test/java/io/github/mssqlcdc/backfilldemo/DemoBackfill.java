package io.github.mssqlcdc.backfilldemo;

import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import java.util.Map;

/** The backfill's process: calls it until it is done, and shows how far it is. */
final class DemoBackfill {
  /** Option of ours. */
  static final String CHUNK_ROWS = "demo.chunkRows";

  /** How a line of progress begins. */
  static final String PROGRESS = "  [";

  private static final int WIDTH = 40;
  private static final double MILLION = 1e6;

  private DemoBackfill() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = DemoProcess.options(args);
    long chunkRows = Long.parseLong(options.remove(CHUNK_ROWS));
    DemoLake lake = new DemoLake(args[0]);
    BackfillStatus status;
    do {
      status = lake.backfill(options, chunkRows, DemoBackfill::show);
      if (status.state() == BackfillState.NO_SNAPSHOT) {
        throw new IllegalStateException(status.reason());
      }
    } while (status.state() != BackfillState.DONE);
    show(status);
    System.exit(0);
  }

  private static void show(BackfillStatus status) {
    Integer total = status.chunksTotal();
    int done = total == null ? 0 : WIDTH * status.chunksDone() / Math.max(1, total);
    System.out.printf(
        "%s%s%s] %d of %s chunks, %.2f M rows, %.1f MB, %s%n",
        PROGRESS,
        "#".repeat(done),
        ".".repeat(WIDTH - done),
        status.chunksDone(),
        total,
        status.rows() / MILLION,
        status.bytes() / MILLION,
        status.remaining() == null
            ? "time left unknown"
            : status.remaining().toSeconds() + " s left");
  }
}

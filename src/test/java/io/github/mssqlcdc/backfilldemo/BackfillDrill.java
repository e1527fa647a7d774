package io.github.mssqlcdc.backfilldemo;

import static io.github.mssqlcdc.backfilldemo.BackfillDemo.judge;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.requireAlive;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.say;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.stream;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Kills the backfill's process at random moments while the table is written to, then lets it end,
 * and compares what bronze gives with the table.
 */
final class BackfillDrill {
  private static final int PARTITIONS = 2;
  private static final int CHUNK_ROWS = 500;
  private static final int PAUSE_MS = 50;
  private static final int SHORTEST_MS = 3_000;
  private static final int LONGEST_MS = 15_000;

  private BackfillDrill() {}

  public static void main(String[] args) throws Exception {
    int count = Integer.getInteger("drill.count", 20);
    long seed = Long.getLong("drill.seed", System.nanoTime());
    int rows = Integer.getInteger("backfill.rows", 200_000);
    say("Seed " + seed + ", " + count + " kills, " + rows + " rows");
    Random random = new Random(seed);
    Path folder = Files.createTempDirectory(Path.of("target"), "drill").toAbsolutePath();
    try (StandInDatabase database = StandInDatabase.start()) {
      DemoTable table = new DemoTable(database, PARTITIONS);
      table.make(rows);
      database.awaitCapture();
      DemoLake lake = new DemoLake(folder.toString());
      try (DemoProcess stream = stream(table, folder, "chunked")) {
        while (!lake.isOpen()) {
          requireAlive(stream);
          Thread.sleep(500);
        }
        for (int kill = 1; kill <= count; kill++) {
          int ms = SHORTEST_MS + random.nextInt(LONGEST_MS - SHORTEST_MS);
          boolean ended = run(table, rows, folder, random, ms);
          say(
              (ended ? "It was done before kill " : "Killed, number ")
                  + kill
                  + ", after "
                  + ms
                  + " ms");
        }
        run(table, rows, folder, random, Integer.MAX_VALUE);
        judge(table, lake, stream, folder);
      }
    }
    System.exit(0);
  }

  /** Whether it ended by itself. */
  private static boolean run(DemoTable table, int rows, Path folder, Random random, int ms)
      throws Exception {
    Map<String, String> options = new HashMap<>(table.options());
    options.put(DemoBackfill.CHUNK_ROWS, String.valueOf(CHUNK_ROWS));
    Redirect log = Redirect.appendTo(folder.resolve("backfill.log").toFile());
    try (DemoProcess backfill = DemoProcess.start(DemoBackfill.class, folder, options, log)) {
      long end = System.nanoTime() + ms * 1_000_000L;
      while (System.nanoTime() < end) {
        if (backfill.endsWithin(PAUSE_MS)) {
          backfill.await();
          return true;
        }
        table.write(random, rows);
      }
      return false;
    }
  }
}

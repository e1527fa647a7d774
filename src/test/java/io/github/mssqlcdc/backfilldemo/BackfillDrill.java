package io.github.mssqlcdc.backfilldemo;

import static io.github.mssqlcdc.backfilldemo.BackfillDemo.judge;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.requireAlive;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.say;
import static io.github.mssqlcdc.backfilldemo.BackfillDemo.stream;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Kills the backfill's process at random moments while the table is written to, then lets it end,
 * and compares what bronze gives with the table.
 */
public final class BackfillDrill {
  private static final int PARTITIONS = 2;
  private static final int CHUNK_ROWS = 500;
  private static final int PAUSE_MS = 50;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final int LONGEST_MS = 8_000;
  private static final int ONE_IN = 4;

  private BackfillDrill() {}

  /**
   * @param count how often it is killed
   */
  public static void run(int count, long seed) throws Exception {
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
        Backfills backfills = new Backfills(table, rows, folder, random);
        for (int kill = 1; kill <= count; kill++) {
          boolean whileItStarts = random.nextInt(ONE_IN) == 0;
          boolean ended = whileItStarts ? backfills.killStarting() : backfills.killAtWork();
          say(
              (ended ? "It was done before kill " : "Killed, number ")
                  + kill
                  + (whileItStarts ? ", while it started" : ", at work")
                  + "; "
                  + lake.count("SELECT count(*) FROM $facts WHERE event = 'snapshot_chunk'")
                  + " chunks are told of");
        }
        backfills.complete();
        judge(table, lake, stream, folder);
      }
    }
  }

  /** Processes of the backfill, one after the other, and writers at work. */
  private static final class Backfills {
    private final DemoTable table;
    private final int rows;
    private final Path folder;
    private final Path log;
    private final Random random;
    private long startingMs = LONGEST_MS;

    Backfills(DemoTable table, int rows, Path folder, Random random) {
      this.table = table;
      this.rows = rows;
      this.folder = folder;
      this.log = folder.resolve("backfill.log");
      this.random = random;
    }

    /** Anywhere between its start and its first call's first word; whether it ended by itself. */
    boolean killStarting() throws Exception {
      return run(random.nextInt((int) startingMs), Long.MAX_VALUE);
    }

    /** Some time after that word. */
    boolean killAtWork() throws Exception {
      return run(Long.MAX_VALUE, random.nextInt(LONGEST_MS));
    }

    void complete() throws Exception {
      if (!run(Long.MAX_VALUE, Long.MAX_VALUE)) {
        throw new IllegalStateException("Nobody has killed it, and it has not ended");
      }
    }

    private boolean run(long ms, long msAtWork) throws Exception {
      long before = Files.exists(log) ? Files.size(log) : 0;
      Map<String, String> options = new HashMap<>(table.options());
      options.put(DemoBackfill.CHUNK_ROWS, String.valueOf(CHUNK_ROWS));
      long begun = System.nanoTime();
      Long atWork = null;
      try (DemoProcess backfill =
          DemoProcess.start(DemoBackfill.class, folder, options, Redirect.appendTo(log.toFile()))) {
        while (true) {
          if (backfill.endsWithin(PAUSE_MS)) {
            backfill.await();
            return true;
          }
          if (atWork == null && hasProgress(before)) {
            atWork = System.nanoTime();
            startingMs = 1 + millisSince(begun);
          }
          boolean isTime = millisSince(begun) >= ms;
          if (isTime || (atWork != null && millisSince(atWork) >= msAtWork)) {
            return false;
          }
          table.write(random, rows);
        }
      }
    }

    private boolean hasProgress(long before) throws IOException {
      try (InputStream output = Files.newInputStream(log)) {
        output.skipNBytes(before);
        return new String(output.readAllBytes(), StandardCharsets.UTF_8)
            .contains(DemoBackfill.PROGRESS);
      }
    }

    private static long millisSince(long nanos) {
      return (System.nanoTime() - nanos) / NANOS_PER_MS;
    }
  }
}

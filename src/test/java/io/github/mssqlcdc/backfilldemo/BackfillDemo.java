package io.github.mssqlcdc.backfilldemo;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A table is read in chunks beside its stream while it is written to; in the end what bronze gives
 * is compared with the table. Then a full snapshot of the same table, to compare the times.
 */
final class BackfillDemo {
  private static final int PARTITIONS = 2;
  private static final int CHUNKS = 20;
  private static final int PAUSE_MS = 50;
  private static final double MILLIS = 1000.0;
  private static final double NANOS = 1e9;

  private BackfillDemo() {}

  public static void main(String[] args) throws Exception {
    int rows = Integer.getInteger("backfill.rows", 2_000_000);
    Path folder = Files.createTempDirectory(Path.of("target"), "backfill-demo");
    try (StandInDatabase database = StandInDatabase.start()) {
      DemoTable table = new DemoTable(database, PARTITIONS);
      say("Making a table of " + rows + " rows in the stand-in");
      table.make(rows);
      database.awaitCapture();
      // one sequence for both: a key that was moved to isn't free any more
      Random random = new Random(1);
      Took chunked = chunked(table, rows, random, folder.resolve("chunked"));
      Took full = full(table, rows, random, folder.resolve("full"));
      say(
          String.format(
              "Chunks took %.1f s, a full snapshot with %d partitions, too, %.1f s: %.2f times",
              chunked.wall, PARTITIONS, full.wall, chunked.wall / full.wall));
      say(
          String.format(
              "Of processor time their processes took %.1f s and %.1f s: %.2f times",
              chunked.cpu, full.cpu, chunked.cpu / full.cpu));
    }
    System.exit(0);
  }

  private static Took chunked(DemoTable table, int rows, Random random, Path folder)
      throws Exception {
    DemoLake lake = new DemoLake(folder.toAbsolutePath().toString());
    say("The stream starts, in a process of its own");
    try (DemoProcess stream = stream(table, folder, "chunked")) {
      while (!lake.isOpen()) {
        requireAlive(stream);
        Thread.sleep(500);
      }
      say("The snapshot is open; the backfill starts, in another process, and writers are at work");
      Took took;
      long begun = System.nanoTime();
      Map<String, String> options = new HashMap<>(table.options());
      options.put(DemoBackfill.CHUNK_ROWS, String.valueOf(Math.max(1, rows / CHUNKS)));
      try (DemoProcess backfill =
          DemoProcess.start(
              DemoBackfill.class, folder.toAbsolutePath(), options, Redirect.INHERIT)) {
        write(table, rows, random, backfill);
        backfill.await();
        took = Took.since(begun, backfill);
      }
      say("Every chunk is there. Writers stop, the stream catches up");
      judge(table, lake, stream, folder);
      return took;
    }
  }

  static void judge(DemoTable table, DemoLake lake, DemoProcess stream, Path folder)
      throws Exception {
    table.database().run("UPDATE dbo.orders SET amount = amount + 1 WHERE id = 1");
    table.database().awaitCapture();
    String end =
        (String)
            table
                .database()
                .query("SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)")
                .get(0)
                .get(0);
    while (lake.position().compareTo(end) < 0) {
      requireAlive(stream);
      Thread.sleep(500);
    }
    Path dump = folder.resolve("table.csv");
    long there = table.dump(dump);
    long differences = lake.differences(dump);
    long notOnce = lake.chunksNotOnce();
    say(
        String.format(
            "The table has %d rows; %d differ from what bronze gives, %d chunks or keys are not"
                + " there once",
            there, differences, notOnce));
    if (differences + notOnce > 0) {
      System.exit(1);
    }
  }

  private static Took full(DemoTable table, int rows, Random random, Path folder)
      throws Exception {
    say("The same table in a full snapshot, with the same writers");
    long begun = System.nanoTime();
    try (DemoProcess stream = stream(table, folder, "full")) {
      write(table, rows, random, stream);
      stream.await();
      return Took.since(begun, stream);
    }
  }

  static DemoProcess stream(DemoTable table, Path folder, String mode) throws Exception {
    Files.createDirectories(folder);
    Map<String, String> options = new HashMap<>(table.options());
    options.put(DemoStream.MODE, mode);
    return DemoProcess.start(
        DemoStream.class,
        folder.toAbsolutePath(),
        options,
        Redirect.to(folder.resolve("stream.log").toFile()));
  }

  /** Until a process ends. */
  private static void write(DemoTable table, int rows, Random random, DemoProcess until)
      throws Exception {
    while (!until.endsWithin(PAUSE_MS)) {
      table.write(random, rows);
    }
  }

  static void requireAlive(DemoProcess stream) {
    if (!stream.isAlive()) {
      throw new IllegalStateException("The stream has ended; its log stands in the demo's folder");
    }
  }

  /** Seconds, of a process from before its start. */
  private record Took(double wall, double cpu) {
    static Took since(long begun, DemoProcess process) {
      return new Took((System.nanoTime() - begun) / NANOS, process.cpu().toMillis() / MILLIS);
    }
  }

  static void say(String line) {
    System.out.println(line);
  }
}

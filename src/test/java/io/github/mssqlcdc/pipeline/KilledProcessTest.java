package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole of it, killed for real: a process that writes while the database goes on. */
@Tag("spark")
final class KilledProcessTest {
  private static final Logger LOG = LoggerFactory.getLogger(KilledProcessTest.class);
  private static final int KILLS = 2;

  /** Files of a first batch with all that comes before it, about. */
  private static final int FILES = 45;

  /** The database doesn't wait for a stream that is slow, but nor does it run away from it. */
  private static final int LOOKS_PER_CHANGE = 40;

  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final SparkSession spark = TestSession.get();
  private int nextId = 100;

  @Test
  void whateverMomentItIsKilledBronzeHoldsEachChangeOnceAndTheFactsAll() throws Exception {
    long seed = System.nanoTime();
    LOG.info("seed {}", seed);
    Random random = new Random(seed);
    Path lake = Files.createDirectory(folder.resolve("lake"));
    try (StandInDatabase database = StandInDatabase.start()) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, name nvarchar(50) NULL)",
          "INSERT INTO dbo.orders VALUES (1, N'a'), (2, N'b'), (3, N'c')",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL");
      database.awaitCapture();
      for (int kill = 0; kill < KILLS; kill++) {
        runAndKill(database, lake, files(lake) + 1 + random.nextInt(FILES));
      }
      Map<String, String> uncapped = options(database);
      uncapped.remove("maxCommitsPerBatch");
      KilledStream.start(spark, lake.toString(), uncapped, Trigger.AvailableNow())
          .awaitTermination();

      assertThat(bronze(lake)).as("seed %s", seed).isEqualTo(changes(database, lake));
      assertThat(spark.sql("SELECT * FROM " + table(lake, "bronze") + " WHERE _operation = 0"))
          .satisfies(rows -> assertThat(rows.count()).isEqualTo(snapshotRows(lake)));
      assertThat(unlikeBronze(lake)).as("seed %s", seed).isEmpty();
    }
  }

  private Map<String, String> options(StandInDatabase database) {
    Map<String, String> options = new HashMap<>(database.options());
    options.put("captureInstance", "dbo_orders");
    options.put("pollInterval", "1ms");
    options.put("maxCommitsPerBatch", "10");
    return options;
  }

  /** Kills it once the lake has so many files; meanwhile the database gets new rows. */
  private void runAndKill(StandInDatabase database, Path lake, int atFiles) throws Exception {
    Process process = process(database, lake);
    try {
      long end = System.nanoTime() + LIMIT.toNanos();
      int seen = 0;
      for (int files = files(lake), look = 0; files < atFiles; files = files(lake), look++) {
        assertThat(process.isAlive()).as(log()).isTrue();
        assertThat(System.nanoTime()).as("no %s files: %s", atFiles, log()).isLessThan(end);
        if (files > seen || look % LOOKS_PER_CHANGE == 0) {
          change(database);
        }
        seen = files;
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private void change(StandInDatabase database) {
    int id = nextId++;
    database.run(
        "INSERT INTO dbo.orders VALUES (" + id + ", N'x'), (" + -id + ", N'y')",
        "UPDATE dbo.orders SET name = N'z' WHERE id = " + id,
        "DELETE FROM dbo.orders WHERE id = " + -id);
    database.awaitCapture();
  }

  private Process process(StandInDatabase database, Path lake) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "@config/java17.args",
                KilledStream.class.getName(),
                lake.toString()));
    options(database)
        .forEach(
            (name, value) -> {
              command.add(name);
              command.add(value);
            });
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  private String log() throws IOException {
    String log = Files.readString(folder.resolve("log"));
    return log.substring(Math.max(0, log.length() - 2000));
  }

  private static int files(Path lake) {
    try (Stream<Path> files = Files.walk(lake)) {
      return (int) files.filter(Files::isRegularFile).count();
    } catch (java.io.UncheckedIOException | IOException e) {
      return 0; // one went away while it was looked at
    }
  }

  private static String table(Path lake, String name) {
    return "delta.`" + lake.resolve(name) + "`";
  }

  private List<String> sql(String query) {
    return spark.sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  private List<String> bronze(Path lake) {
    return spark
        .sql(
            "SELECT _start_lsn, _seqval, _operation, id, name FROM "
                + table(lake, "bronze")
                + " WHERE _operation > 0")
        .collectAsList()
        .stream()
        .map(row -> row.mkString(" "))
        .sorted()
        .toList();
  }

  private List<String> changes(StandInDatabase database, Path lake) {
    String stamp =
        spark
            .sql(
                "SELECT DISTINCT end_lsn FROM "
                    + table(lake, "facts")
                    + " WHERE event = 'bootstrap'")
            .head()
            .getString(0);
    return database
        .query(
            "SELECT [__$start_lsn], [__$seqval], [__$operation], [id], [name] FROM"
                + " [cdc].[dbo_orders_CT]")
        .stream()
        .map(
            row ->
                Lsn.of((byte[]) row.get(0))
                    + " "
                    + Lsn.of((byte[]) row.get(1))
                    + " "
                    + row.get(2)
                    + " "
                    + row.get(3)
                    + " "
                    + row.get(4))
        .filter(row -> row.substring(0, stamp.length()).compareTo(stamp) > 0)
        .sorted()
        .toList();
  }

  private long snapshotRows(Path lake) {
    return spark
        .sql("SELECT rows FROM " + table(lake, "facts") + " WHERE event = 'bootstrap'")
        .head()
        .getLong(0);
  }

  /** Batches whose facts aren't there once, with the count and the ends of bronze. */
  private List<String> unlikeBronze(Path lake) {
    return sql(
        "SELECT coalesce(f.batch_id, b._batch_id), f.n, f.rows, b.rows FROM (SELECT batch_id,"
            + " count(*) AS n, max(rows) AS rows, max(min_lsn) AS lo, max(max_lsn) AS hi FROM "
            + table(lake, "facts")
            + " WHERE event IS NULL GROUP BY batch_id) f FULL JOIN (SELECT _batch_id, count(*) AS"
            + " rows, min(_start_lsn) AS lo, max(_start_lsn) AS hi FROM "
            + table(lake, "bronze")
            + " WHERE _operation > 0 GROUP BY _batch_id) b ON f.batch_id = b._batch_id WHERE NOT"
            + " (coalesce(f.n, 0) = 1 AND f.rows = coalesce(b.rows, 0) AND f.lo <=> b.lo AND f.hi"
            + " <=> b.hi)");
  }
}

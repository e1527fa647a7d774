package io.github.mssqlcdc.soak;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.pipeline.CdcErrors;
import io.github.mssqlcdc.pipeline.CdcStream;
import io.github.mssqlcdc.testkit.process.JavaProcess;
import io.github.mssqlcdc.testkit.spark.TestSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;

/** A stream at a trigger of one second beside {@link SoakServer}, which makes its life hard. */
public final class Soak {
  private static final Pattern LSN = Pattern.compile("0x[0-9A-F]{20}");
  private static final String LINE = "%6s %8s %8s %8s %12s %10s%n";

  private final JavaProcess server;
  private final SparkSession spark = TestSession.compiled();
  private final Path folder;
  private final String url;
  private final String directUrl;
  private final List<Sample> samples = new ArrayList<>();
  private int restarts;
  private int cleanups;

  private Soak(JavaProcess server, Path folder) throws Exception {
    this.server = server;
    this.folder = folder;
    this.url = url(server.answer());
    this.directUrl = url(server.answer());
  }

  private static String url(String port) {
    return "jdbc:sqlserver://localhost:"
        + port
        + ";databaseName="
        + SoakServer.DATABASE
        + ";encrypt=false";
  }

  /**
   * Exits with 1 if anything is wrong at the end.
   *
   * @param args minutes; the seed of what happens at random, or {@code random}
   */
  public static void main(String[] args) throws Exception {
    Duration length = Duration.ofMinutes(Long.parseLong(args[0]));
    long seed = args[1].equals("random") ? System.nanoTime() : Long.parseLong(args[1]);
    // Spark remembers a thousand jobs and queries, which would look like a leak until then
    for (String retained :
        List.of(
            "ui.retainedJobs",
            "ui.retainedStages",
            "ui.retainedTasks",
            "sql.ui.retainedExecutions")) {
      System.setProperty("spark." + retained, "20");
    }
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    List<String> faults;
    try (JavaProcess server =
        JavaProcess.start(SoakServer.class, "1g", List.of(String.valueOf(seed)))) {
      System.out.println(length.toMinutes() + " minutes, seed " + seed);
      faults = new Soak(server, Files.createTempDirectory(target, "soak")).run(length);
    }
    faults.forEach(fault -> System.out.println("WRONG: " + fault));
    System.out.println(faults.isEmpty() ? "passed" : "FAILED");
    System.exit(faults.isEmpty() ? 0 : 1);
  }

  private List<String> run(Duration length) throws Exception {
    // a short run is looked at more often
    Duration interval = length.toMinutes() < 10 ? Duration.ofSeconds(15) : Duration.ofMinutes(1);
    System.out.printf(LINE, "minute", "batch", "restarts", "heap MB", "threads", "connections");
    StreamingQuery query = start(Trigger.ProcessingTime("1 second"));
    server.say(SoakServer.TROUBLE);
    long begun = System.nanoTime();
    long end = begun + length.toNanos();
    long next = begun + interval.toNanos();
    while (System.nanoTime() < end) {
      try {
        query.awaitTermination(
            Math.max(1, TimeUnit.NANOSECONDS.toMillis(next - System.nanoTime())));
      } catch (StreamingQueryException e) {
        query = restarted(e);
      }
      if (System.nanoTime() >= next) {
        sample(query, System.nanoTime() - begun);
        cleanUp(query);
        next = System.nanoTime() + interval.toNanos();
      }
    }
    return judge(query);
  }

  /** As whoever runs it would; a start may meet the next fault. */
  private StreamingQuery restarted(Exception failure) throws Exception {
    Exception last = failure;
    while (!CdcErrors.isDataLoss(last)) {
      restarts++;
      System.out.println("restarted after: " + rootMessage(last));
      try {
        return start(Trigger.ProcessingTime("1 second"));
      } catch (CdcException e) {
        last = e;
      }
    }
    throw last;
  }

  private StreamingQuery start(Trigger trigger) throws TimeoutException {
    return CdcStream.of(
            spark,
            Map.of(
                "url", url,
                "user", "sa",
                "password", "Stand-in-1",
                "captureInstance", "dbo_accounts"))
        .toDelta(path("bronze"))
        .appId("soak")
        .checkpoint(path("checkpoint"))
        .factsTable(path("facts"))
        .bootstrap(true)
        .trigger(trigger)
        .start();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private String table(String name) {
    return "delta.`" + path(name) + "`";
  }

  private void sample(StreamingQuery query, long nanos) {
    Sample sample = Sample.take(connections());
    samples.add(sample);
    System.out.printf(
        LINE,
        "%.1f".formatted(nanos / 60e9),
        query.lastProgress() == null ? "" : query.lastProgress().batchId(),
        restarts,
        sample.heapMb(),
        sample.threads(),
        sample.connections() < 0 ? "" : sample.connections());
  }

  /** Takes all that the stream has behind it, and nothing else: nothing may be lost by that. */
  private void cleanUp(StreamingQuery query) {
    if (query.lastProgress() == null) {
      return;
    }
    String position = query.lastProgress().sources()[0].endOffset();
    Matcher lsn = LSN.matcher(position);
    if (!lsn.find()) {
      throw new IllegalStateException("No LSN in " + position);
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "EXEC sys.sp_cdc_cleanup_change_table @capture_instance = N'dbo_accounts',"
              + " @low_water_mark = "
              + lsn.group());
      cleanups++;
    } catch (SQLException e) {
      System.out.println("no cleanup: " + e.getMessage());
    }
  }

  /** Of the library's; -1 while the server is away. */
  private long connections() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE program_name ="
                    + " N'mssql-cdc-spark'")) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      return -1;
    }
  }

  /** Not by the network that breaks: what is looked at here is the stream. */
  private Connection connect() throws SQLException {
    return DriverManager.getConnection(directUrl, "sa", "Stand-in-1");
  }

  private List<String> judge(StreamingQuery query) throws Exception {
    server.say(SoakServer.STOP);
    System.out.println(server.answer());
    query.stop();
    start(Trigger.AvailableNow()).awaitTermination();
    LakeChecks checks = new LakeChecks(spark, table("bronze"), table("facts"));
    Row totals = checks.totals();
    System.out.println(
        totals.get(0)
            + " batches with "
            + totals.get(1)
            + " changes, restarts: "
            + restarts
            + ", cleanups: "
            + cleanups);
    List<String> faults =
        checks.faults(
            spark
                .read()
                .format("jdbc")
                .options(Map.of("url", directUrl, "user", "sa", "password", "Stand-in-1"))
                .option("dbtable", "dbo.accounts")
                .load());
    faults.addAll(Sample.growth(samples));
    return faults;
  }

  private static String rootMessage(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}

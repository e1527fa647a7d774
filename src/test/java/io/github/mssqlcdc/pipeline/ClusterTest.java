package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import io.github.mssqlcdc.testkit.sqlserver.backend.Backend;
import io.github.mssqlcdc.testkit.sqlserver.backend.BackendSession;
import io.github.mssqlcdc.testkit.sqlserver.backend.Request;
import io.github.mssqlcdc.testkit.sqlserver.backend.ResponseSink;
import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams whose tasks run in other processes: lost there, or overtaken by a twin. */
@Tag("spark")
@SuppressWarnings("NullAway.Init")
class ClusterTest {
  private static final int ROWS = 100_001;
  private static final int TIMEOUT_SECONDS = 120;

  /** Bytes of a value that make either range far more than may be under way. */
  private static final int WIDE = 150;

  /** A part of what either of the two ranges is. */
  private static final int MIDWAY = 300_000;

  @TempDir private static Path folder;
  private static StandIn standIn;
  private static StandInDatabase database;
  private static FaultProxy network;
  private static Process driver;
  private static final Sessions SESSIONS = new Sessions();

  @BeforeAll
  static void start() throws IOException {
    standIn = StandIn.builder().manualCapture().front(SESSIONS::of).start();
    database = StandInDatabase.create(standIn);
    network = new FaultProxy(standIn.port());
    driver = startDriver();
  }

  @AfterAll
  static void close() {
    driver.descendants().forEach(ProcessHandle::destroyForcibly);
    driver.destroyForcibly();
    network.close();
    database.close();
    standIn.close();
  }

  @Test
  void rowsAndFactsAreCompleteOnceThoughAnExecutorDiesAndAReadBreaks() throws Exception {
    fill("broken", 1);
    network.set(Fault.stall(MIDWAY), 2);
    say("broken");
    assertThat(network.awaitHits(2, TIMEOUT_SECONDS * 1_000L)).isTrue();
    kill(executors(driver).get(0));
    network.heal();
    awaitStreamed("broken");

    assertThat(log())
        .contains(ClusterDriver.FAILED_TASK + "ExecutorLostFailure")
        .doesNotContain(ClusterDriver.FAILED_TASK + "ExceptionFailure");
    assertCompleteOnce("broken");
  }

  /** The link of the one is slow, though not dead: both would come to their end. */
  @Test
  void ofTwoTwinsOneCountsAndTheOtherIsCancelledOnTheServer() throws Exception {
    fill("late", WIDE);
    SESSIONS.cancelled.clear();
    network.set(Fault.throttle(MIDWAY, Duration.ofSeconds(1)));
    say("late");
    await(() -> !SESSIONS.cancelled.isEmpty(), "cancelled");
    network.heal();
    awaitStreamed("late");

    assertThat(log()).contains(ClusterDriver.TWIN);
    await(SESSIONS.running::isEmpty, "ended");
    assertThat(SESSIONS.closed)
        .as("its connection is kept")
        .doesNotContainAnyElementsOf(SESSIONS.cancelled);
    assertCompleteOnce("late");
  }

  private static void fill(String table, int width) {
    database.run(
        "CREATE TABLE dbo."
            + table
            + " (id int NOT NULL PRIMARY KEY, v char("
            + width
            + ") NOT NULL)",
        "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'"
            + table
            + "', @role_name = NULL");
    database.awaitCapture();
    database.run(
        "INSERT INTO dbo." + table + " SELECT value, 'x' FROM GENERATE_SERIES(1, " + ROWS + ")");
    database.awaitCapture();
  }

  private static void say(String table) throws IOException {
    driver.getOutputStream().write((table + "\n").getBytes(StandardCharsets.UTF_8));
    driver.getOutputStream().flush();
  }

  private static void awaitStreamed(String table) throws Exception {
    await(() -> log().contains(ClusterDriver.STREAMED + table), "streamed");
  }

  private static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(driver.isAlive()).as(ClusterTest::log).isTrue();
      assertThat(System.nanoTime()).as(() -> "not " + what + ": " + log()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void assertCompleteOnce(String table) {
    Row rows = read(table, "bronze", "count(*)", "count(DISTINCT id)", "sum(id)");
    assertThat(rows.mkString("|"))
        .isEqualTo(ROWS + "|" + ROWS + "|" + (long) ROWS * (ROWS + 1) / 2);
    Row facts =
        read(table, "facts", "count_if(rows > 0)", "sum(rows)", "sum(inserts)", "min(read_mb) > 0");
    assertThat(facts.mkString("|")).isEqualTo("1|" + ROWS + "|" + ROWS + "|true");
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  private static List<ProcessHandle> executors(Process driver) {
    List<ProcessHandle> executors =
        driver
            .descendants()
            .filter(
                process ->
                    process.info().commandLine().orElse("").contains("CoarseGrainedExecutor"))
            .toList();
    assertThat(executors).hasSize(2);
    return executors;
  }

  private static Process startDriver() throws IOException {
    Path home = folder.resolve("spark");
    Path classPath = classPath(Files.createDirectories(home.resolve("jars")));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-cp",
            classPath.toString(),
            ClusterDriver.class.getName(),
            network.through(database.url()),
            database.user(),
            database.password(),
            folder.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("driver.log").toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "SPARK_HOME",
                home.toString(),
                "SPARK_SCALA_VERSION",
                "2.13",
                "SPARK_LOCAL_IP",
                "127.0.0.1"));
    return builder.start();
  }

  /**
   * A jar that stands for this JVM's class path: in {@code jars}, it makes of a folder what Spark
   * takes for an installation.
   */
  private static Path classPath(Path jars) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    Path jar = jars.resolve("class-path.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  private static String log() {
    try (Stream<String> lines = Files.lines(folder.resolve("driver.log"))) {
      return lines.collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  private static Row read(String table, String kind, String... columns) {
    return TestSession.get()
        .read()
        .format("delta")
        .load(folder.resolve(table).resolve(kind).toString())
        .selectExpr(columns)
        .head();
  }

  /** What becomes of the sessions on the server, by their numbers. */
  private static final class Sessions {
    private final Set<Integer> running = ConcurrentHashMap.newKeySet();
    private final Set<Integer> cancelled = ConcurrentHashMap.newKeySet();
    private final Set<Integer> closed = ConcurrentHashMap.newKeySet();

    Backend of(Backend engine) {
      return new Backend() {
        @Override
        public BackendSession login(Login login) throws SqlServerError {
          return new Session(engine.login(login));
        }

        @Override
        public int majorVersion() {
          return engine.majorVersion();
        }
      };
    }

    private final class Session implements BackendSession {
      private final BackendSession session;

      Session(BackendSession session) {
        this.session = session;
      }

      @Override
      public String database() {
        return session.database();
      }

      @Override
      public String collation() {
        return session.collation();
      }

      @Override
      public int spid() {
        return session.spid();
      }

      @Override
      public void execute(Request request, ResponseSink sink) {
        running.add(spid());
        try {
          session.execute(request, sink);
        } finally {
          running.remove(spid());
        }
      }

      @Override
      public void cancel() {
        cancelled.add(spid());
        session.cancel();
      }

      @Override
      public void close() {
        closed.add(spid());
        session.close();
      }
    }
  }
}

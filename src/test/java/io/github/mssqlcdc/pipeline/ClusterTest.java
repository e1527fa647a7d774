package io.github.mssqlcdc.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import io.github.mssqlcdc.testkit.network.Fault;
import io.github.mssqlcdc.testkit.network.FaultProxy;
import io.github.mssqlcdc.testkit.spark.TestSession;
import io.github.mssqlcdc.testkit.sqlserver.StandIn;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream whose tasks run in other processes, and are lost there. */
@Tag("spark")
class ClusterTest {
  private static final int ROWS = 100_001;
  private static final int TIMEOUT_SECONDS = 120;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void rowsAndFactsAreCompleteOnceThoughAnExecutorDiesAndAReadBreaks() throws Exception {
    try (StandIn standIn = StandIn.builder().manualCapture().start();
        StandInDatabase database = StandInDatabase.create(standIn);
        FaultProxy network = new FaultProxy(standIn.port())) {
      database.run(
          "CREATE TABLE dbo.orders (id int NOT NULL PRIMARY KEY, v int NOT NULL)",
          "EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'orders',"
              + " @role_name = NULL");
      database.awaitCapture();
      database.run(
          "INSERT INTO dbo.orders SELECT value, value % 7 FROM GENERATE_SERIES(1, " + ROWS + ")");
      database.awaitCapture();
      network.set(Fault.stall(300_000), 2);
      Process driver = start(database, network);
      try {
        assertThat(network.awaitHits(2, TIMEOUT_SECONDS * 1_000L)).isTrue();
        kill(executors(driver).get(0));
        network.heal();
        assertThat(driver.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
      } finally {
        driver.descendants().forEach(ProcessHandle::destroyForcibly);
        driver.destroyForcibly();
      }
      assertThat(driver.exitValue()).as(() -> log()).isZero();
      assertThat(log())
          .contains("Failed task: ExecutorLostFailure")
          .doesNotContain("Failed task: ExceptionFailure");
    }
    Row rows = read("bronze", "count(*)", "count(DISTINCT id)", "sum(id)");
    assertThat(rows.mkString("|"))
        .isEqualTo(ROWS + "|" + ROWS + "|" + (long) ROWS * (ROWS + 1) / 2);
    Row facts =
        read("facts", "count_if(rows > 0)", "sum(rows)", "sum(inserts)", "min(read_mb) > 0");
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

  private Process start(StandInDatabase database, FaultProxy network) throws IOException {
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
                "127.0.0.1",
                "SPARK_WORKER_DIR",
                folder.resolve("work").toString()));
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

  private String log() {
    try (Stream<String> lines = Files.lines(folder.resolve("driver.log"))) {
      return lines.collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  private Row read(String table, String... columns) {
    return TestSession.get()
        .read()
        .format("delta")
        .load(folder.resolve(table).toString())
        .selectExpr(columns)
        .head();
  }
}

package io.github.mssqlcdc.memory;

import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the cases, each in a JVM of its own with a server in another, and prints one table. */
public final class MemoryProfile {
  private static final String ALL = "all";
  private static final String SERVER_HEAP = "2g";
  private static final String ROW = "%-62s %6s %14s %8s %6s%n";

  private final Path folder;

  private MemoryProfile(Path folder) {
    this.folder = folder;
  }

  /**
   * Exits with 1 if a case fails.
   *
   * @param args names of cases, or {@code all}
   */
  public static void main(String[] args) throws Exception {
    List<MemoryCase> cases = new ArrayList<>();
    for (String name : args[0].split(",")) {
      cases.addAll(
          name.equals(ALL) ? List.of(MemoryCase.values()) : List.of(MemoryCase.valueOf(name)));
    }
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    MemoryProfile profile = new MemoryProfile(Files.createTempDirectory(target, "memory"));
    System.out.printf(ROW, "", "-Xmx", "after GC, MB", "peak, MB", "s");
    boolean passed = true;
    for (MemoryCase each : cases) {
      passed &= profile.run(each);
    }
    System.out.println(
        passed
            ? "passed: all rows came, once"
            : "FAILED; the output of each case is in " + profile.folder);
    System.exit(passed ? 0 : 1);
  }

  /** False if it fails. */
  private boolean run(MemoryCase subject) throws IOException, InterruptedException {
    Path output = folder.resolve(subject.name() + ".log");
    try (ReplayProcess server = ReplayProcess.start(SERVER_HEAP, subject.table())) {
      int status = worker(subject, server, output).waitFor();
      String[] figures = figures(output);
      boolean passed = status == 0 && figures.length == 3;
      System.out.printf(
          ROW,
          subject.title(),
          subject.heap(),
          passed ? figures[0] : "failed",
          passed ? figures[1] : "",
          passed ? figures[2] : "");
      return passed;
    }
  }

  private Process worker(MemoryCase subject, ReplayProcess server, Path output) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + subject.heap(),
                "-XX:+ExitOnOutOfMemoryError",
                "@config/java17.args",
                "-Dlog4j2.configurationFile=log4j2-quickstart.properties",
                MemoryWorker.class.getName(),
                subject.name(),
                Files.createDirectory(folder.resolve(subject.name())).toString()));
    server
        .options(subject.table())
        .forEach(
            (name, value) -> {
              command.add(name);
              command.add(value);
            });
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  private static String[] figures(Path output) throws IOException {
    return Files.readAllLines(output).stream()
        .filter(line -> line.startsWith(MemoryWorker.DONE))
        .map(line -> line.substring(MemoryWorker.DONE.length()).split(" "))
        .findFirst()
        .orElse(new String[0]);
  }
}

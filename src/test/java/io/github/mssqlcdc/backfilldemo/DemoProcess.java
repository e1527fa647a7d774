package io.github.mssqlcdc.backfilldemo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of a demo, with a class path like this one's. */
final class DemoProcess implements AutoCloseable {
  private final Process process;
  private Duration cpu = Duration.ZERO;

  private DemoProcess(Process process) {
    this.process = process;
  }

  /**
   * @param folder of the lake
   * @param options of the source, and such as the class wants
   * @param log where its output goes; null: where this one's goes
   */
  static DemoProcess start(
      Class<?> main, Path folder, Map<String, String> options, ProcessBuilder.Redirect log)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "@config/java17.args",
                "-Dlog4j2.configurationFile=log4j2-quickstart.properties",
                main.getName(),
                folder.toString()));
    options.forEach(
        (name, value) -> {
          command.add(name);
          command.add(value);
        });
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return new DemoProcess(builder.start());
  }

  /** Options from a process's arguments, which begin with the folder. */
  static Map<String, String> options(String[] args) {
    Map<String, String> options = new java.util.HashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    return options;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it ended in that time. */
  boolean endsWithin(long millis) throws InterruptedException {
    // nothing is told of a process that has ended
    process.info().totalCpuDuration().ifPresent(now -> cpu = now);
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Its processor time, as of the last look whether it has ended. */
  Duration cpu() {
    return cpu;
  }

  /** Waits for its end, which has to be a good one. */
  void await() throws InterruptedException {
    int code = process.waitFor();
    if (code != 0) {
      throw new IllegalStateException("A process ended with " + code);
    }
  }

  /** As kill -9. */
  @Override
  public void close() throws InterruptedException {
    int unused = process.destroyForcibly().waitFor();
  }
}

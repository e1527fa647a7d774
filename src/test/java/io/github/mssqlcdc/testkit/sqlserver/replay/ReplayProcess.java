package io.github.mssqlcdc.testkit.sqlserver.replay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server of replayed tables in a process of its own; it ends with this one at the latest. */
public final class ReplayProcess implements AutoCloseable {
  static final String READY = "replay: listening on port ";

  private static final int PATIENCE_SECONDS = 10;

  private final Process process;
  private final int port;

  private ReplayProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it, and waits until it listens.
   *
   * @param heap of its JVM, such as {@code 1g}: a row of a table has to fit several times
   */
  public static ReplayProcess start(String heap, ReplayTable... tables) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                ReplayServer.class.getName()));
    for (ReplayTable table : tables) {
      command.add(table.argument());
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(READY)) {
        drain(output);
        return new ReplayProcess(process, Integer.parseInt(line.substring(READY.length())));
      }
    }
    throw new IOException("The replay server has ended before it was ready; see standard error");
  }

  /** A process whose output nobody takes stops at its next line. */
  private static void drain(BufferedReader output) {
    Thread thread =
        new Thread(
            () -> {
              try {
                output.transferTo(Writer.nullWriter());
              } catch (IOException e) {
                // it has ended
              }
            },
            "replay-output");
    thread.setDaemon(true);
    thread.start();
  }

  public int port() {
    return port;
  }

  /** JDBC URL of the database, without user and password. */
  public String url() {
    return "jdbc:sqlserver://localhost:"
        + port
        + ";databaseName="
        + ReplayServer.DATABASE
        + ";encrypt=false";
  }

  public String user() {
    return "sa";
  }

  public String password() {
    return "Stand-in-1";
  }

  /** The library's options for a table. */
  public Map<String, String> options(ReplayTable table) {
    return Map.of(
        "url", url(),
        "user", user(),
        "password", password(),
        "captureInstance", table.captureInstance());
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

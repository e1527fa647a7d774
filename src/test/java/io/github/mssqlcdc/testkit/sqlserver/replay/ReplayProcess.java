package io.github.mssqlcdc.testkit.sqlserver.replay;

import io.github.mssqlcdc.testkit.process.JavaProcess;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** A server of replayed tables in a process of its own; it ends with this one at the latest. */
public final class ReplayProcess implements AutoCloseable {
  private final JavaProcess process;
  private final int port;

  private ReplayProcess(JavaProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it, and waits until it listens.
   *
   * @param heap of its JVM, such as {@code 1g}: a row of a table has to fit several times
   */
  public static ReplayProcess start(String heap, ReplayTable... tables) throws IOException {
    JavaProcess process =
        JavaProcess.start(
            ReplayServer.class, heap, Arrays.stream(tables).map(ReplayTable::argument).toList());
    return new ReplayProcess(process, Integer.parseInt(process.answer()));
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
    process.close();
  }
}

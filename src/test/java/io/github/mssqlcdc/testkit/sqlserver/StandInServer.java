package io.github.mssqlcdc.testkit.sqlserver;

import io.github.mssqlcdc.testkit.process.JavaProcess;
import java.io.IOException;

/** A stand-in in a process of its own, for clients that take it for any other server. */
public final class StandInServer {
  private StandInServer() {}

  /**
   * Prints the port in a line of its own, and serves until standard input ends.
   *
   * @param args the port; 0 for any free one
   */
  public static void main(String[] args) throws IOException {
    try (StandIn standIn = StandIn.builder().port(Integer.parseInt(args[0])).start()) {
      System.out.println(JavaProcess.ANSWER + standIn.port());
      while (System.in.read() >= 0) {
        // nothing is said to it
      }
    }
  }
}

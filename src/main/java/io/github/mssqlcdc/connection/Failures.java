package io.github.mssqlcdc.connection;

import java.sql.SQLException;

/** What a failure says about its connection. */
public final class Failures {
  private Failures() {}

  /** Whether the network broke or the server is gone, told by SQLSTATE class 08. */
  public static boolean isBrokenConnection(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && state.startsWith("08");
  }
}

package io.github.mssqlcdc.connection;

import java.sql.SQLException;
import java.util.stream.Stream;

/** What a failure says about its connection. */
public final class Failures {
  private static final int MAX_CAUSES = 20;

  private Failures() {}

  /**
   * Whether the network broke or the server is gone, told by SQLSTATE class 08. The driver's
   * getters hide it behind an exception without a state.
   */
  public static boolean isBrokenConnection(SQLException failure) {
    return Stream.iterate((Throwable) failure, e -> e != null, Throwable::getCause)
        .limit(MAX_CAUSES)
        .anyMatch(
            e ->
                e instanceof SQLException cause
                    && cause.getSQLState() != null
                    && cause.getSQLState().startsWith("08"));
  }
}

package io.github.mssqlcdc.connection;

import java.sql.SQLException;

/** No connection could be opened; carries state and number of the driver's exception. */
public final class ConnectFailedException extends SQLException {
  private static final long serialVersionUID = 1L;

  private final boolean worked;

  ConnectFailedException(SQLException cause, boolean worked) {
    super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    this.worked = worked;
  }

  /**
   * Whether a connection with these options has been opened in this JVM before: only then is a
   * failure likely to pass.
   */
  public boolean workedBefore() {
    return worked;
  }
}

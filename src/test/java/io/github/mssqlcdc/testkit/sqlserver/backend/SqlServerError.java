package io.github.mssqlcdc.testkit.sqlserver.backend;

/** An error as SQL Server sends it: number, state, severity ("class") and text. */
public final class SqlServerError extends Exception {
  private static final long serialVersionUID = 1L;

  private final int number;
  private final int state;
  private final int severity;

  public SqlServerError(int number, int severity, int state, String message) {
    super(message);
    this.number = number;
    this.severity = severity;
    this.state = state;
  }

  public int number() {
    return number;
  }

  public int state() {
    return state;
  }

  public int severity() {
    return severity;
  }
}

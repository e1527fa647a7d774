package io.github.mssqlcdc.testkit.sqlserver.engine;

/** The client has cancelled: unwinds to where the request began, without a word to the client. */
final class Cancelled extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Cancelled() {
    super("The client has cancelled", null, false, false);
  }
}

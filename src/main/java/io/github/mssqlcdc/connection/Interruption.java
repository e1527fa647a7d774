package io.github.mssqlcdc.connection;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;

/** What is thrown where a thread was told to stop waiting. */
public final class Interruption {
  private Interruption() {}

  /**
   * In the dress in which Spark knows it: a query that is stopped ends without an error. The thread
   * stays interrupted.
   *
   * @param purpose what was waited for, as it reads after "while waiting to"
   */
  public static UncheckedIOException of(String purpose, Throwable cause) {
    InterruptedIOException interrupted =
        new InterruptedIOException("Interrupted while waiting to " + purpose);
    interrupted.initCause(cause);
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new UncheckedIOException(interrupted);
  }
}

package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;

/** Names the cause of a loss, as it reads after "min LSN is … now, ". */
final class LossCause {
  private static final String PURGED = "what is below it was purged by CDC cleanup";

  /** Of a read that only sees min LSN. */
  static final String UNKNOWN =
      PURGED + " (or the instance was disabled and created again, which looks the same)";

  private LossCause() {}

  /** Compares the instance with what it was when the run began. */
  static String of(SqlServer server, CaptureInstance before) {
    CaptureInstance now = server.captureInstance(before.name());
    boolean isSame =
        now.changeTableId() == before.changeTableId() && now.created().equals(before.created());
    return isSame
        ? PURGED
        : "the capture instance was disabled and created again: this one is of "
            + now.created()
            + " on the server's clock. What was changed in between was never captured";
  }
}

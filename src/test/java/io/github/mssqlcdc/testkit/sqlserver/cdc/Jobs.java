package io.github.mssqlcdc.testkit.sqlserver.cdc;

import java.time.Duration;
import java.util.UUID;

/** Settings of the capture and the cleanup job. Thread-safe. */
final class Jobs {
  private final UUID captureId = UUID.randomUUID();
  private final UUID cleanupId = UUID.randomUUID();
  private volatile Capture capture = new Capture(500, 10, true, 5);
  private volatile CleanupJob cleanup = new CleanupJob(4320, 5000);

  record Capture(int maxTransactions, int maxScans, boolean continuous, long pollingSeconds) {}

  /**
   * @param retentionMinutes how long changes are kept
   * @param threshold rows deleted at once
   */
  record CleanupJob(long retentionMinutes, int threshold) {
    Duration retention() {
      return Duration.ofMinutes(retentionMinutes);
    }
  }

  UUID captureId() {
    return captureId;
  }

  UUID cleanupId() {
    return cleanupId;
  }

  Capture capture() {
    return capture;
  }

  CleanupJob cleanup() {
    return cleanup;
  }

  void set(Capture settings) {
    capture = settings;
  }

  void set(CleanupJob settings) {
    cleanup = settings;
  }
}

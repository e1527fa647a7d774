package io.github.mssqlcdc.testkit.contract;

import java.time.Duration;

/** Between two looks at a server on which something is to happen. */
final class Pause {
  private static final Duration POLL = Duration.ofMillis(200);

  private Pause() {}

  static void briefly() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the server", e);
    }
  }
}

package io.github.mssqlcdc.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class MutedLogTest {
  private static final String CONFIGURED = "io.github.mssqlcdc";
  private static final String BELOW = "io.github.mssqlcdc.testkit.log.below";

  @Test
  void whatWasSaidBeforeIsSaidAgain() {
    try (CapturedLog log = CapturedLog.of(BELOW)) {
      warn("before");
      try (MutedLog all = MutedLog.of(CONFIGURED, BELOW)) {
        warn("muted");
      }
      warn("after");
      assertThat(log.warnings()).containsExactly("before", "after");
    }
  }

  private static void warn(String text) {
    LoggerFactory.getLogger(BELOW).warn(text);
  }
}

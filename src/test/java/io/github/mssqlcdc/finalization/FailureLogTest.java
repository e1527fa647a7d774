package io.github.mssqlcdc.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.log.LogLines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class FailureLogTest {

  @Test
  void theFirstOfARowIsAnErrorThenThereIsOneWarningInTenMinutes() {
    AtomicLong nanos = new AtomicLong();
    try (LogLines lines = LogLines.watching()) {
      FailureLog log = new FailureLog(LoggerFactory.getLogger(VerdictWorker.class), nanos::get);
      for (int minute = 0; minute <= 20; minute++) {
        log.failed("bronze.orders", new IllegalStateException("minute " + minute));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      }
      assertThat(log.failures()).isEqualTo(21);
      assertThat(log.last()).hasMessage("minute 20");
      log.succeeded();
      assertThat(log.failures()).isZero();
      assertThat(log.last()).isNull();
      log.failed("bronze.orders", new IllegalStateException("again"));

      assertThat(lines.at(Level.ERROR)).hasSize(2);
      assertThat(lines.at(Level.WARN))
          .extracting(line -> line.text())
          .containsExactly(
              "bronze.orders: the verdict can't be moved, 11 times in a row:"
                  + " java.lang.IllegalStateException: minute 10",
              "bronze.orders: the verdict can't be moved, 21 times in a row:"
                  + " java.lang.IllegalStateException: minute 20");
    }
  }
}

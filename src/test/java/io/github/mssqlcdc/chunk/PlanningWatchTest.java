package io.github.mssqlcdc.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.log.LogLines;
import java.time.Duration;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlanningWatchTest {

  @Test
  @Timeout(60)
  void whoWaitsIsToldHowFarThePlanIs() throws InterruptedException {
    try (LogLines log = LogLines.watching();
        PlanningWatch watch = new PlanningWatch("dbo.orders", Duration.ofMillis(1))) {
      watch.answered();
      watch.answered();

      while (told(log).isEmpty()) {
        Thread.sleep(5);
      }
      assertThat(told(log).get(0))
          .startsWith("dbo.orders: still planning after ")
          .endsWith("; the server has answered 2 counts and seeks so far");
    }
  }

  private static List<String> told(LogLines log) {
    return log.at(Level.INFO).stream()
        .map(LogLines.Line::text)
        .filter(text -> text.endsWith(" 2 counts and seeks so far"))
        .toList();
  }
}

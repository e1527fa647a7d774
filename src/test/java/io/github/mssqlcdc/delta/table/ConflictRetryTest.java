package io.github.mssqlcdc.delta.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.kernel.exceptions.ConcurrentWriteException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkThrowable;
import org.junit.jupiter.api.Test;

class ConflictRetryTest {
  private static final DeltaTableRef TABLE = new DeltaTableRef("ops.control");

  @Test
  void aMergeIsRepeatedForAboutAMinuteWithPausesOfUpToTenSeconds() {
    for (int attempt = 1; attempt < 200; attempt++) {
      assertThat(ConflictRetry.LONG.pauseAfter(attempt, Duration.ofSeconds(59)).orElseThrow())
          .isPositive()
          .isLessThanOrEqualTo(Duration.ofSeconds(10));
    }
    assertThat(ConflictRetry.LONG.pauseAfter(1, Duration.ofSeconds(60))).isEmpty();
  }

  @Test
  void anAppendIsTriedSixTimes() {
    assertThat(ConflictRetry.SHORT.pauseAfter(5, Duration.ZERO).orElseThrow())
        .isLessThanOrEqualTo(Duration.ofMillis(2500));
    assertThat(ConflictRetry.SHORT.pauseAfter(6, Duration.ZERO)).isEmpty();
  }

  @Test
  void conflictsAreKnownByClassAndByCondition() {
    AtomicInteger attempts = new AtomicInteger();
    String result =
        ConflictRetry.run(
            TABLE,
            (attempt, spent) -> Optional.of(Duration.ZERO),
            () ->
                switch (attempts.incrementAndGet()) {
                  case 1 -> throw new ConcurrentWriteException();
                  case 2 -> throw new Conditioned("DELTA_CONCURRENT_APPEND.WITHOUT_HINT");
                  default -> "done";
                });
    assertThat(result).isEqualTo("done");
    assertThat(attempts).hasValue(3);
  }

  @Test
  void whatIsNoConflictFailsAtOnce() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                ConflictRetry.run(
                    TABLE,
                    (attempt, spent) -> Optional.of(Duration.ZERO),
                    () -> {
                      attempts.incrementAndGet();
                      throw new Conditioned("DELTA_TABLE_NOT_FOUND");
                    }))
        .isInstanceOf(Conditioned.class);
    assertThat(attempts).hasValue(1);
  }

  private static final class Conditioned extends RuntimeException implements SparkThrowable {
    private static final long serialVersionUID = 1L;
    private final String condition;

    Conditioned(String condition) {
      super(condition);
      this.condition = condition;
    }

    @Override
    public String getCondition() {
      return condition;
    }

    @Override
    public Map<String, String> getMessageParameters() {
      return Map.of();
    }
  }
}

package io.github.mssqlcdc.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.metric.BackfillState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HeadroomTest {
  private static final Duration DAY = Duration.ofHours(24);

  @Test
  void enoughIsEnough() {
    assertThat(Headroom.verdict(DAY, 24.0)).isEmpty();
    assertThat(Headroom.verdict(Duration.ZERO, 0.0)).isEmpty();
  }

  @Test
  void lessIsWaitedForAndTold() {
    assertThat(Headroom.verdict(DAY, 23.99))
        .hasValueSatisfying(
            wait -> {
              assertThat(wait.state()).isEqualTo(BackfillState.WAITING_HEADROOM);
              assertThat(wait.reason()).contains("23.99 h", "24.00 h");
            });
  }

  @Test
  void aStreamThatTellsNothingIsWaitedForToo() {
    assertThat(Headroom.verdict(DAY, null))
        .hasValueSatisfying(
            wait -> {
              assertThat(wait.state()).isEqualTo(BackfillState.WAITING_METRICS);
              assertThat(wait.reason()).contains("24.00 h", "See that the stream runs");
            });
  }
}

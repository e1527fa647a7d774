package io.github.mssqlcdc.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WaveSizeTest {
  private static final Duration TARGET = Duration.ofSeconds(2500);

  private static WaveSize size(Duration target) {
    return new WaveSize(2, target);
  }

  @Test
  void theFirstWaveIsOneRound() {
    assertThat(size(TARGET).chunks(0, null, null)).isEqualTo(2);
    assertThat(size(TARGET).chunks(2, null, null)).isEqualTo(2);
    assertThat(size(TARGET).chunks(2, 0L, null)).isEqualTo(2);
  }

  @Test
  void asManyRoundsAsTheTargetHoldsAtTheLastPace() {
    assertThat(size(TARGET).chunks(2, 1_000_000L, null)).isEqualTo(4);
    assertThat(size(TARGET).chunks(4, 1_000_000L, null)).isEqualTo(10);
    assertThat(size(TARGET).chunks(3, 1_000_000L, null)).isEqualTo(10);
  }

  @Test
  void noMoreThanWhatIsLeftOfTheCallAndNeverLessThanARound() {
    assertThat(size(TARGET).chunks(4, 1_000_000L, Duration.ofSeconds(700))).isEqualTo(2);
    assertThat(size(TARGET).chunks(4, 1_000_000L, Duration.ofSeconds(1))).isEqualTo(2);
    assertThat(size(TARGET).chunks(4, 1_000_000L, Duration.ofSeconds(99_999))).isEqualTo(10);
  }

  @Test
  void aTargetOfZeroIsARoundEach() {
    assertThat(size(Duration.ZERO).chunks(2, 1L, null)).isEqualTo(2);
  }

  @Test
  void aWavesCommitStaysSmall() {
    assertThat(size(TARGET).chunks(2, 1L, null)).isEqualTo(WaveSize.MAX_CHUNKS);
    assertThat(new WaveSize(3000, TARGET).chunks(3000, 1L, null)).isEqualTo(3000);
  }

  @Test
  void aTargetMayBeAsLongAsDurationsGo() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(new WaveSize(2, longest).chunks(2, 1000L, null)).isEqualTo(1000);
    assertThat(new WaveSize(2, longest).chunks(2, 1000L, longest)).isEqualTo(1000);
  }
}

package io.github.mssqlcdc.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SampleTest {

  @Test
  void whatStaysAsItWasHasNotGrown() {
    assertThat(Sample.growth(samples(i -> new Sample(200 + i % 3 * 20, 60 + i % 2, 2)))).isEmpty();
  }

  @Test
  void aLeakOfEachKindIsTold() {
    assertThat(Sample.growth(samples(i -> new Sample(200 + 5L * i, 60 + i, 2 + i / 4))))
        .containsExactly(
            "heap in MB grew from 233 to 333",
            "threads grew from 67 to 87",
            "connections grew from 3 to 8");
  }

  @Test
  void theFirstOnesAreOfAProcessThatWarmsUp() {
    assertThat(Sample.growth(samples(i -> new Sample(i < 2 ? 10 : 300, i < 2 ? 5 : 60, 2))))
        .isEmpty();
  }

  @Test
  void fewSamplesTellNothing() {
    assertThat(Sample.growth(samples(i -> new Sample(100L * i, 10L * i, i)).subList(0, 7)))
        .isEmpty();
  }

  private static List<Sample> samples(IntFunction<Sample> sample) {
    return IntStream.range(0, 32).mapToObj(sample).toList();
  }
}

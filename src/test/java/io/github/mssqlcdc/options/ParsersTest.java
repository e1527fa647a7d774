package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsersTest {
  @ParameterizedTest
  @CsvSource({
    "10s,PT10S",
    "5 min,PT5M",
    "5min,PT5M",
    "2 Hours,PT2H",
    "1 day,PT24H",
    "250ms,PT0.25S",
    "' 1 minute ',PT1M",
    "PT1M30S,PT1M30S",
    "pt0.5s,PT0.5S",
    "0s,PT0S"
  })
  void durationsHaveAUnit(String text, Duration duration) {
    assertThat(Parsers.duration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "s", "-1s", "PT-1S", "1.5s", "1 week", "10 s s", "1ss"})
  void otherTextsAreNoDuration(String text) {
    assertThatThrownBy(() -> Parsers.duration(text))
        .isInstanceOfAny(IllegalArgumentException.class, java.time.DateTimeException.class);
  }
}

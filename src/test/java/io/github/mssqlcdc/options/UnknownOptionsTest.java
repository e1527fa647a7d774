package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class UnknownOptionsTest {
  @Test
  void aMisspeltNameIsReportedOnceWithTheNearestKnownOne() {
    assertThat(UnknownOptions.warnings(Map.of("captureInstnace", "x", "url", "u")))
        .containsExactly(
            "Unknown option 'captureInstnace' is ignored; did you mean 'captureInstance'?");
  }

  @Test
  void oddCaseIsNoMisspelling() {
    assertThat(UnknownOptions.warnings(Map.of("CAPTUREINSTANCE", "x"))).isEmpty();
  }

  @Test
  void namesOfSparkTheDriverAndTheLibraryAreLeftAlone() {
    assertThat(UnknownOptions.warnings(Map.of("path", "p", "jdbc.encrypt", "false", "_ledger", "")))
        .isEmpty();
  }

  @Test
  void noValueIsShown() {
    assertThat(UnknownOptions.warnings(Map.of("pasword", "geheim")))
        .containsExactly("Unknown option 'pasword' is ignored; did you mean 'password'?");
  }

  @Test
  void distanceCountsEdits() {
    assertThat(Spelling.distance("kitten", "SITTING")).isEqualTo(3);
    assertThat(Spelling.distance("", "abc")).isEqualTo(3);
  }
}

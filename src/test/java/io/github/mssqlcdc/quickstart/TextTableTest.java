package io.github.mssqlcdc.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void alignsTextToTheLeftAndNumbersToTheRight() {
    List<String> lines =
        TextTable.lines(
            List.of("what", "rows"),
            List.of(List.of("snapshot", "10000"), List.of("batch 0", "7")));

    assertThat(lines)
        .containsExactly(
            "what       rows", //
            "--------  -----",
            "snapshot  10000",
            "batch 0       7");
  }
}

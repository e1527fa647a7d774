package io.github.mssqlcdc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import org.junit.jupiter.api.Test;

final class SnapshotModeTest {
  @Test
  void aNameIgnoresCase() {
    assertThat(SnapshotMode.parse("Chunked")).isEqualTo(SnapshotMode.CHUNKED);
    assertThat(SnapshotMode.parse("full")).isEqualTo(SnapshotMode.FULL);
  }

  @Test
  void otherNamesListWhatIsAllowed() {
    for (String name : new String[] {"lazy", "chunks", ""}) {
      assertThatThrownBy(() -> SnapshotMode.parse(name))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage("Invalid value '" + name + "' of snapshot: expected full or chunked");
    }
  }
}

package io.github.mssqlcdc.delta.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.InvalidRequestException;
import org.junit.jupiter.api.Test;

final class DeltaTableRefTest {

  @Test
  void aSlashOrAColonMakesAPath() {
    assertThat(new DeltaTableRef("cat.ops.facts").isPath()).isFalse();
    assertThat(new DeltaTableRef("lake/facts").isPath()).isTrue();
    assertThat(new DeltaTableRef("s3:facts").isPath()).isTrue();
  }

  @Test
  void inSqlABacktickOfAPathIsDoubled() {
    assertThat(new DeltaTableRef("cat.ops.facts").sql()).isEqualTo("cat.ops.facts");
    assertThat(new DeltaTableRef("/lake/a`b").sql()).isEqualTo("delta.`/lake/a``b`");
  }

  @Test
  void aBlankOneIsRefused() {
    assertThatThrownBy(() -> new DeltaTableRef(" "))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith("Missing table");
  }
}

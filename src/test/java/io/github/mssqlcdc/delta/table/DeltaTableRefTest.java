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

  @Test
  void aNameHasASchemaAndALastPart() {
    assertThat(new DeltaTableRef("facts").schema()).isEmpty();
    assertThat(new DeltaTableRef("cat.ops.facts").schema()).hasValue("cat.ops");
    assertThat(new DeltaTableRef("`a.b`.`c.``d`").schema()).hasValue("`a.b`");
    assertThat(new DeltaTableRef("`a.b`.`c.``d`").lastPart()).isEqualTo("c.`d");
    assertThat(new DeltaTableRef("`a.b`").schema()).isEmpty();
    assertThat(new DeltaTableRef("ops.facts").lastPart()).isEqualTo("facts");
  }

  @Test
  void aPathInTheDressOfANameIsRefused() {
    assertThatThrownBy(() -> new DeltaTableRef("Delta . `/lake/facts`"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "Invalid table 'Delta . `/lake/facts`': give the path alone, without delta and"
                + " backticks");
  }

  @Test
  void aTableBesideItIsInItsSchemaOrFolder() {
    assertThat(new DeltaTableRef("ops.orders").withSuffix("_plans").text())
        .isEqualTo("ops.orders_plans");
    assertThat(new DeltaTableRef("ops.`a b`").withSuffix("_plans").text())
        .isEqualTo("ops.`a b_plans`");
    assertThat(new DeltaTableRef("s3://lake/orders/").withSuffix("_plans").text())
        .isEqualTo("s3://lake/orders_plans");
  }
}

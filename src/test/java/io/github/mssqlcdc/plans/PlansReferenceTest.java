package io.github.mssqlcdc.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.docs.TableReference;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table reference lists the plans table's columns, in their order and with their types. */
class PlansReferenceTest {
  @Test
  void everyColumnHasItsRow() throws IOException {
    assertThat(TableReference.columns("Plans"))
        .containsExactlyElementsOf(
            Arrays.stream(PlansColumn.values())
                .map(column -> column.columnName() + " " + column.field().dataType().sql())
                .toList());
  }

  @Test
  void everyColumnHasAComment() {
    assertThat(PlansColumn.values())
        .allMatch(column -> column.field().getComment().exists(text -> !text.isBlank()));
  }
}

package io.github.mssqlcdc.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.docs.TableReference;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table reference lists the control table's columns, in their order and with their types. */
class ControlReferenceTest {
  @Test
  void everyColumnHasItsRow() throws IOException {
    assertThat(TableReference.columns("Control"))
        .containsExactlyElementsOf(
            Arrays.stream(ControlColumn.values())
                .map(column -> column.columnName() + " " + column.field().dataType().sql())
                .toList());
  }

  @Test
  void everyColumnHasAComment() {
    assertThat(ControlColumn.values())
        .allMatch(column -> column.field().getComment().exists(text -> !text.isBlank()));
  }
}

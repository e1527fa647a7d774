package io.github.mssqlcdc.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.docs.TableReference;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table reference lists the facts table's columns, in their order and with their types. */
class TableReferenceTest {
  @Test
  void everyColumnHasItsRow() throws IOException {
    assertThat(TableReference.columns("Facts"))
        .containsExactlyElementsOf(
            Arrays.stream(FactsColumn.values())
                .map(column -> column.columnName() + " " + column.field().dataType().sql())
                .toList());
  }

  @Test
  void everyColumnHasAComment() {
    assertThat(FactsColumn.values())
        .allMatch(column -> column.field().getComment().exists(text -> !text.isBlank()));
  }
}

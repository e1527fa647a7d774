package io.github.mssqlcdc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.testkit.docs.TableReference;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table reference lists the report's columns, in their order and with their types. */
class ReportReferenceTest {
  @Test
  void everyColumnHasItsRow() throws IOException {
    assertThat(TableReference.columns("Reconcile report"))
        .containsExactlyElementsOf(
            Arrays.stream(ReportTable.SCHEMA.fields())
                .map(field -> field.name() + " " + field.dataType().sql())
                .toList());
  }

  @Test
  void everyColumnHasAComment() {
    assertThat(ReportTable.SCHEMA.fields())
        .allMatch(field -> field.getComment().exists(text -> !text.isBlank()));
  }
}

package io.github.mssqlcdc.plans;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table reference lists the plans table's columns, in their order and with their types. */
class PlansReferenceTest {
  private static final Pattern PLANS =
      Pattern.compile("(?ms)^## Plans\\n.*?^\\| column \\|[^\\n]*\\n(.*?)\\n\\n");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| .+ \\|$");

  @Test
  void everyColumnHasItsRow() throws IOException {
    List<String> documented =
        PLANS
            .matcher(Files.readString(Path.of("docs/reference/tables.md")))
            .results()
            .flatMap(table -> ROW.matcher(table.group(1)).results())
            .map(row -> row.group(1) + " " + row.group(2))
            .toList();

    assertThat(documented)
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

package io.github.mssqlcdc.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table reference lists the facts table's columns, in their order and with their types. */
class TableReferenceTest {
  private static final Pattern FACTS =
      Pattern.compile("(?ms)^## Facts\\n.*?^\\| column \\|[^\\n]*\\n(.*?)\\n\\n");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| .+ \\|$");

  @Test
  void everyColumnHasItsRow() throws IOException {
    List<String> documented =
        FACTS
            .matcher(Files.readString(Path.of("docs/reference/tables.md")))
            .results()
            .flatMap(table -> ROW.matcher(table.group(1)).results())
            .map(row -> row.group(1) + " " + row.group(2))
            .toList();

    assertThat(documented)
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

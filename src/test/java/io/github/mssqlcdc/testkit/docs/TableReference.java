package io.github.mssqlcdc.testkit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The page {@code docs/reference/tables.md}. */
public final class TableReference {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(\\w+)` \\| ([\\w(),]+) \\| .+ \\|$");

  private TableReference() {}

  /** Name and type of each column that a section of the page lists, in its order. */
  public static List<String> columns(String section) throws IOException {
    return Pattern.compile("(?ms)^## " + section + "\\n.*?^\\| column \\|[^\\n]*\\n(.*?)\\n\\n")
        .matcher(Files.readString(Path.of("docs/reference/tables.md")))
        .results()
        .flatMap(table -> ROW.matcher(table.group(1)).results())
        .map(row -> row.group(1) + " " + row.group(2))
        .toList();
  }
}

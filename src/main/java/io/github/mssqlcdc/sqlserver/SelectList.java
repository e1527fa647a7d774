package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.type.SelectColumn;
import java.util.List;
import java.util.stream.Collectors;

/** The captured columns of a SELECT. */
final class SelectList {
  private SelectList() {}

  /** The columns behind a table's alias, separated by commas: {@code a.[x], a.[y]}. */
  static String of(String alias, List<SelectColumn> columns) {
    return columns.stream()
        .map(column -> expression(alias + "." + Quoting.name(column.name()), column))
        .collect(Collectors.joining(", "));
  }

  private static String expression(String name, SelectColumn column) {
    return switch (column.form()) {
      case COLUMN -> name;
      case TEXT -> "CAST(" + name + " AS nvarchar(max))";
      // the methods of a NULL give the word "Null"
      case CLR_TEXT -> "CASE WHEN " + name + " IS NOT NULL THEN " + name + ".ToString() END";
      case WELL_KNOWN_TEXT -> "CASE WHEN " + name + " IS NOT NULL THEN " + name + ".AsTextZM() END";
      case NONE -> throw new IllegalArgumentException("Column " + name + " isn't to be selected");
    };
  }
}

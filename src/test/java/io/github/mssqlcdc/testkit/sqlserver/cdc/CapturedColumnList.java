package io.github.mssqlcdc.testkit.sqlserver.cdc;

import io.github.mssqlcdc.testkit.sqlserver.backend.SqlServerError;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo;
import io.github.mssqlcdc.testkit.sqlserver.engine.TableInfo.ColumnInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Resolves {@code @captured_column_list}: names apart by commas, bare or in [] or "". */
final class CapturedColumnList {
  private static final Set<String> RESERVED =
      Set.of("__$start_lsn", "__$end_lsn", "__$seqval", "__$operation", "__$update_mask");

  private CapturedColumnList() {}

  /**
   * Captured columns in the table's order; no list means all.
   *
   * @param sameName how the database compares names
   */
  static List<ColumnInfo> resolve(
      TableInfo table, @Nullable String list, BiPredicate<String, String> sameName)
      throws SqlServerError {
    List<ColumnInfo> columns =
        list == null || list.isBlank() ? table.columns() : named(table, list, sameName);
    for (ColumnInfo column : columns) {
      if (RESERVED.contains(column.name())) {
        throw EnableTableErrors.reservedColumn(table);
      }
    }
    return columns;
  }

  private static List<ColumnInfo> named(
      TableInfo table, String list, BiPredicate<String, String> sameName) throws SqlServerError {
    List<String> names = split(list);
    for (String name : names) {
      if (table.columns().stream().noneMatch(column -> sameName.test(column.name(), name))) {
        throw EnableTableErrors.noColumn(name, table);
      }
    }
    return table.columns().stream()
        .filter(column -> names.stream().anyMatch(name -> sameName.test(column.name(), name)))
        .toList();
  }

  static List<String> split(String list) throws SqlServerError {
    List<String> names = new ArrayList<>();
    int at = 0;
    while (at < list.length()) {
      char first = list.charAt(at);
      if (first == ',' || Character.isWhitespace(first)) {
        at++;
      } else if (first == '[' || first == '"') {
        StringBuilder name = new StringBuilder();
        at = quoted(list, at + 1, first == '[' ? ']' : '"', name);
        names.add(name.toString());
      } else {
        int comma = list.indexOf(',', at);
        int end = comma < 0 ? list.length() : comma;
        names.add(list.substring(at, end).strip());
        at = end;
      }
    }
    return names;
  }

  /** Reads up to the closing quote; a doubled one stands for itself. */
  private static int quoted(String list, int start, char close, StringBuilder name)
      throws SqlServerError {
    for (int i = start; i < list.length(); i++) {
      char c = list.charAt(i);
      if (c != close) {
        name.append(c);
      } else if (i + 1 < list.length() && list.charAt(i + 1) == close) {
        name.append(close);
        i++;
      } else {
        return i + 1;
      }
    }
    throw EnableTableErrors.openQuote();
  }
}

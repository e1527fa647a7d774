package io.github.mssqlcdc.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Lines of a table with aligned columns, numbers to the right. */
final class TextTable {
  private static final String GAP = "  ";

  private TextTable() {}

  static List<String> lines(List<String> header, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    int columns = header.size();
    int[] widths =
        IntStream.range(0, columns)
            .map(column -> all.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    boolean[] numeric = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      numeric[column] = isNumeric(rows, column);
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        String blanks = " ".repeat(widths[column] - cell.length());
        line.append(column == 0 ? "" : GAP).append(numeric[column] ? blanks + cell : cell + blanks);
      }
      lines.add(line.toString().stripTrailing());
    }
    lines.add(1, rule(widths));
    return lines;
  }

  private static boolean isNumeric(List<List<String>> rows, int column) {
    return rows.stream().allMatch(row -> row.get(column).matches("[-0-9.,]*"));
  }

  private static String rule(int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int width : widths) {
      line.append(line.isEmpty() ? "" : GAP).append("-".repeat(width));
    }
    return line.toString();
  }
}

package io.github.mssqlcdc.testkit.sqlserver.replay;

import java.util.HashMap;
import java.util.Map;

/**
 * A table {@code dbo.<name>} to be replayed, its key {@code id bigint}, from 1 on.
 *
 * @param name letters, digits and underscores
 * @param columns the others, as CREATE TABLE has them; none of them NOT NULL
 * @param rows of the table
 * @param changes rows of its change table: inserts of the ids from 1 on; 0: none
 * @param commits in which these were made, each as large as the next, save for the last
 * @param width of the longest text (characters) and binary (bytes), where the type has room; a row
 *     has it whole, the next ones three quarters, half and a quarter of it
 * @param nullPercent how many cells of a hundred are NULL
 * @param largeCell bytes of the one value of column {@code large}, a varbinary(max), which the
 *     middle row and the middle change have; 0: there is no such column
 */
public record ReplayTable(
    String name,
    String columns,
    long rows,
    long changes,
    int commits,
    int width,
    int nullPercent,
    int largeCell) {
  /** The column of the one large value. */
  public static final String LARGE = "large";

  private static final String SEPARATOR = ";";

  public ReplayTable {
    if (!name.matches("\\w+") || columns.isBlank() || columns.contains(SEPARATOR)) {
      throw new IllegalArgumentException("Invalid table " + name + " (" + columns + ")");
    }
    if (rows < 2 || changes < 0 || commits < 1 || (changes > 0 && changes < commits)) {
      throw new IllegalArgumentException(
          "Invalid table " + name + ": it needs two rows, and a change for each commit");
    }
  }

  /** One of rows that are 100 characters wide at most and have no NULL; no changes. */
  public static ReplayTable of(String name, String columns, long rows) {
    return new ReplayTable(name, columns, rows, 0, 1, 100, 0, 0);
  }

  public ReplayTable withChanges(long newChanges, int newCommits) {
    return new ReplayTable(
        name, columns, rows, newChanges, newCommits, width, nullPercent, largeCell);
  }

  public ReplayTable withWidth(int newWidth) {
    return new ReplayTable(name, columns, rows, changes, commits, newWidth, nullPercent, largeCell);
  }

  public ReplayTable withNulls(int percent) {
    return new ReplayTable(name, columns, rows, changes, commits, width, percent, largeCell);
  }

  public ReplayTable withLargeCell(int bytes) {
    return new ReplayTable(name, columns, rows, changes, commits, width, nullPercent, bytes);
  }

  /** Its capture instance. */
  public String captureInstance() {
    return "dbo_" + name;
  }

  /** All its columns, for CREATE TABLE. */
  String definition() {
    String large = largeCell == 0 ? "" : ", " + LARGE + " varbinary(max) NULL";
    return "id bigint NOT NULL PRIMARY KEY, " + columns + large;
  }

  String argument() {
    return String.join(
        SEPARATOR,
        "name=" + name,
        "columns=" + columns,
        "rows=" + rows,
        "changes=" + changes,
        "commits=" + commits,
        "width=" + width,
        "nulls=" + nullPercent,
        "large=" + largeCell);
  }

  /**
   * @throws IllegalArgumentException if it isn't as {@link #argument} gives it
   */
  static ReplayTable parse(String argument) {
    Map<String, String> parts = new HashMap<>();
    for (String part : argument.split(SEPARATOR)) {
      int end = part.indexOf('=');
      if (end < 0) {
        throw new IllegalArgumentException("Invalid description of a table: " + argument);
      }
      parts.put(part.substring(0, end), part.substring(end + 1));
    }
    return new ReplayTable(
        parts.getOrDefault("name", ""),
        parts.getOrDefault("columns", ""),
        Long.parseLong(parts.getOrDefault("rows", "0")),
        Long.parseLong(parts.getOrDefault("changes", "0")),
        Integer.parseInt(parts.getOrDefault("commits", "1")),
        Integer.parseInt(parts.getOrDefault("width", "100")),
        Integer.parseInt(parts.getOrDefault("nulls", "0")),
        Integer.parseInt(parts.getOrDefault("large", "0")));
  }
}

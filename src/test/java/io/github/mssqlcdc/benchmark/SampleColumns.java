package io.github.mssqlcdc.benchmark;

import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;
import java.util.List;
import java.util.StringJoiner;

/** Tables of mixed columns behind a key {@code id bigint}; a fifth of all values is NULL. */
final class SampleColumns {
  private static final int NULL_PERCENT = 20;
  private static final List<String> TYPES =
      List.of(
          "int",
          "decimal(18,4)",
          "money",
          "nvarchar(40)",
          "varchar(20)",
          "datetime2(7)",
          "date",
          "binary(10)",
          "uniqueidentifier",
          "bit",
          "float",
          "bigint");

  private SampleColumns() {}

  /**
   * @param columns how many, the key included
   */
  static ReplayTable table(String name, int columns, long rows) {
    return table(name, columns, rows, "");
  }

  /**
   * @param more columns behind these, as CREATE TABLE has them
   */
  static ReplayTable table(String name, int columns, long rows, String more) {
    StringJoiner list = new StringJoiner(", ");
    for (int i = 0; i < columns - 1; i++) {
      list.add("c" + i + " " + TYPES.get(i % TYPES.size()));
    }
    if (!more.isEmpty()) {
      list.add(more);
    }
    return ReplayTable.of(name, list.toString(), rows).withNulls(NULL_PERCENT);
  }
}

package io.github.mssqlcdc.memory;

import io.github.mssqlcdc.testkit.sqlserver.replay.ReplayTable;

/** A read, and the heap that it has to do with. */
enum MemoryCase {
  MIXED_ROWS(
      "1 M rows of mixed width, a cell of 100 MB among them, read", Work.READ, "1g", Tables.MIXED),
  MIXED_ROWS_INTO_DELTA("the same, into Delta", Work.SNAPSHOT, "2g", Tables.MIXED),
  LARGE_COMMIT(
      "a commit of 2 M rows, into Delta",
      Work.STREAM,
      "1g",
      Tables.narrow("large_commit").withChanges(2_000_000, 1)),
  BACKLOG(
      "a backlog of 5 M changes in 5,000 commits, into Delta",
      Work.STREAM,
      "1g",
      Tables.narrow("backlog").withChanges(5_000_000, 5_000)),
  LARGE_CHANGE(
      "1,000 changes, a cell of 100 MB among them, read",
      Work.READ_CHANGES,
      "1g",
      Tables.LARGE_CHANGE),
  LARGE_CHANGE_INTO_DELTA("the same, into Delta", Work.STREAM, "2g", Tables.LARGE_CHANGE),
  LARGE_CELL("1,000 rows, a cell of 300 MB among them, read", Work.READ, "2g", Tables.LARGE),
  LARGE_CELL_INTO_DELTA("the same, into Delta", Work.SNAPSHOT, "4g", Tables.LARGE);

  private final String title;
  private final Work work;
  private final String heap;
  private final ReplayTable table;

  MemoryCase(String title, Work work, String heap, ReplayTable table) {
    this.title = title;
    this.work = work;
    this.heap = heap;
    this.table = table;
  }

  /** How it is read. */
  enum Work {
    /** The batch source, all columns, into nothing. */
    READ,
    /** The streaming source, from the first change on, in one batch into nothing. */
    READ_CHANGES,
    /** {@code CdcStream.snapshot}. */
    SNAPSHOT,
    /** {@code CdcStream.toDelta} from the first change on, in one batch. */
    STREAM
  }

  String title() {
    return title;
  }

  Work work() {
    return work;
  }

  /** As {@code -Xmx} takes it. */
  String heap() {
    return heap;
  }

  ReplayTable table() {
    return table;
  }

  /** How many rows there are to read. */
  long rows() {
    return work == Work.STREAM || work == Work.READ_CHANGES ? table.changes() : table.rows();
  }

  private static final class Tables {
    static final ReplayTable MIXED =
        ReplayTable.of(
                "mixed",
                "n int NULL, amount decimal(18, 4) NULL, at datetime2(7) NULL, day date NULL,"
                    + " uid uniqueidentifier NULL, code varchar(20) NULL, name nvarchar(100) NULL,"
                    + " note nvarchar(max) NULL, data varbinary(max) NULL",
                1_000_000)
            .withWidth(400)
            .withNulls(20)
            .withLargeCell(100_000_000);

    static final ReplayTable LARGE_CHANGE =
        narrow("large_change").withChanges(1_000, 10).withLargeCell(100_000_000);

    static final ReplayTable LARGE = narrow("large_cell").withLargeCell(300_000_000);

    static ReplayTable narrow(String name) {
      return ReplayTable.of(
              name,
              "n int NULL, amount decimal(18, 4) NULL, at datetime2(3) NULL, name nvarchar(40) NULL",
              1_000)
          .withWidth(40)
          .withNulls(10);
    }
  }
}

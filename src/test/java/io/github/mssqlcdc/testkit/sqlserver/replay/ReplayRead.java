package io.github.mssqlcdc.testkit.sqlserver.replay;

/**
 * What a statement reads of a replayed table.
 *
 * @param from number of the first row, from 0 on
 * @param to of the one behind the last
 */
record ReplayRead(Replayed table, Kind kind, long from, long to) {

  /** Whether the table itself is read or its change table. */
  enum Kind {
    TABLE,
    CHANGES
  }

  /** No less than nothing. */
  static ReplayRead of(Replayed table, Kind kind, long from, long to) {
    return new ReplayRead(table, kind, from, Math.max(from, to));
  }

  long count() {
    return to - from;
  }

  ReplayRead atMost(long rows) {
    return of(table, kind, from, Math.min(to, from + rows));
  }
}

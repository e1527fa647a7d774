package io.github.mssqlcdc.testkit.sqlserver.replay;

import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;

/**
 * Where a table's change rows stand: each has a number from 0 on, and the commits have them in
 * order. Immutable.
 *
 * @param commits with the LSNs that the server gave them, ascending
 */
record Commits(List<Commit> commits, long changes) {
  static final int LSN_BYTES = 10;
  private static final int ORDINAL_BYTES = 8;

  /**
   * @param at raw end time
   */
  record Commit(byte[] lsn, LocalDateTime at) {}

  private long rowsPerCommit() {
    return changes / commits.size();
  }

  /** The number of a commit's first row; that of all rows for the commit after the last. */
  long firstOf(int commit) {
    return commit == commits.size() ? changes : commit * rowsPerCommit();
  }

  int commitOf(long row) {
    return (int) Math.min(row / rowsPerCommit(), commits.size() - 1);
  }

  /** How many rows have this LSN or a lower one. */
  long through(byte[] lsn) {
    return firstOf(count(lsn, 1));
  }

  /** How many rows have a lower LSN. */
  long below(byte[] lsn) {
    return firstOf(count(lsn, 0));
  }

  /** Commits whose LSN compares with this one by less than the number given. */
  private int count(byte[] lsn, int limit) {
    int count = 0;
    while (count < commits.size()
        && Arrays.compareUnsigned(commits.get(count).lsn(), lsn) < limit) {
      count++;
    }
    return count;
  }

  byte[] lsnOf(long row) {
    return commits.get(commitOf(row)).lsn();
  }

  /** Ascends over all rows, so it tells which one it is. */
  static byte[] seqval(long row) {
    return ByteBuffer.allocate(LSN_BYTES).putLong(LSN_BYTES - ORDINAL_BYTES, row).array();
  }

  static long rowOf(byte[] seqval) {
    return ByteBuffer.wrap(seqval).getLong(LSN_BYTES - ORDINAL_BYTES);
  }

  /** From 1 on in each commit. */
  int commandId(long row) {
    return (int) (row - firstOf(commitOf(row))) + 1;
  }
}

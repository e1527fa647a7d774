package io.github.mssqlcdc.bronze;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;

/**
 * What a batch holds: the commits of (start, end].
 *
 * @param start LSN of the position before it
 * @param end the position that it ends at
 */
public record BatchRange(Lsn start, Offset end) {

  /** Whether both hold the same commits. */
  public boolean covers(BatchRange other) {
    return start.equals(other.start) && end.lsn().equals(other.end.lsn());
  }

  @Override
  public String toString() {
    return "(" + start + ", " + end.lsn() + "]";
  }
}

package io.github.mssqlcdc.source.row;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.RangeMeasure;
import java.time.LocalDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts change rows, in order of their commits. Not thread-safe. */
final class ChangeTally {
  private final long[] operations = new long[5];
  private @Nullable Lsn first;
  private @Nullable Lsn last;
  private @Nullable LocalDateTime earliest;
  private @Nullable LocalDateTime latest;

  void clear() {
    Arrays.fill(operations, 0);
    first = null;
    last = null;
    earliest = null;
    latest = null;
  }

  /** A row of the commit entered last. */
  void count(int operation) {
    operations[operation]++;
  }

  void enter(Lsn commit, @Nullable LocalDateTime commitTs) {
    first = first == null ? commit : first;
    last = commit;
    if (commitTs != null) {
      earliest = earliest == null || commitTs.isBefore(earliest) ? commitTs : earliest;
      latest = latest == null || commitTs.isAfter(latest) ? commitTs : latest;
    }
  }

  /** Adds rows that follow. */
  void add(ChangeTally next) {
    for (int i = 0; i < operations.length; i++) {
      operations[i] += next.operations[i];
    }
    if (next.first != null && next.last != null) {
      enter(next.first, next.earliest);
      enter(next.last, next.latest);
    }
  }

  RangeMeasure measure(long bytes, double seconds, @Nullable Long networkWaitMs) {
    return new RangeMeasure(
        Arrays.stream(operations).sum(),
        bytes,
        operations[1],
        operations[2],
        operations[4],
        first == null ? null : first.toString(),
        last == null ? null : last.toString(),
        earliest,
        latest,
        seconds,
        networkWaitMs);
  }
}

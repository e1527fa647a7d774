package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.HeadLimits;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides where the next batch ends, given what follows its start. Pure but for its clock and the
 * time of the last batch without rows; not thread-safe.
 */
final class Admission {
  private final Duration idleInterval;
  private final LongSupplier nanoTime;
  private @Nullable Long lastIdle;

  Admission(Duration idleInterval, LongSupplier nanoTime) {
    this.idleInterval = idleInterval;
    this.nanoTime = nanoTime;
  }

  /** The end of the batch after {@code start}; the start itself if there is to be none now. */
  Offset end(Offset start, Head head, HeadLimits limits) {
    Head.End end = head.end();
    if (end == null || !end.entry().lsn().isAfter(start.lsn())) {
      return start;
    }
    boolean mayWait = !head.hasRows() && !head.cut() && limits.through() == null;
    if (mayWait && !isDue()) {
      return start;
    }
    if (mayWait) {
      lastIdle = nanoTime.getAsLong();
    }
    LocalDateTime commitTs = notBefore(start.commitTs(), end.latest());
    return new Offset(end.entry().lsn(), commitTs, end.entry().at());
  }

  private boolean isDue() {
    return lastIdle == null || nanoTime.getAsLong() - lastIdle >= idleInterval.toNanos();
  }

  private static LocalDateTime notBefore(@Nullable LocalDateTime floor, LocalDateTime time) {
    return floor == null || time.isAfter(floor) ? time : floor;
  }
}

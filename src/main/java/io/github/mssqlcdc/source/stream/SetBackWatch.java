package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a server's clock that was set back: once per step, though commit times stand still until
 * it has caught up. What was told before shows in the position itself, so a restart repeats
 * nothing.
 */
final class SetBackWatch {
  private static final Logger LOG = LoggerFactory.getLogger(SetBackWatch.class);

  /** The map's times step back by moments anyway. */
  private static final Duration TOLERANCE = Duration.ofMinutes(1);

  private final String captureInstance;

  SetBackWatch(String captureInstance) {
    this.captureInstance = captureInstance;
  }

  /**
   * @param made the end of the batch, as it is written
   * @param end what it was made from
   */
  void look(Offset start, Offset made, Head.End end) {
    LocalDateTime own = end.clock().toUtc(end.entry());
    if (isBehind(own, made.commitTs()) && !wasTold(start, end.clock(), own)) {
      LOG.warn(
          "Capture instance '{}': the server's clock went back by about {} s at or before {} ({} on"
              + " that clock); commit times stay at {} UTC until it has caught up",
          captureInstance,
          made.commitTs() == null ? 0 : Duration.between(own, made.commitTs()).toSeconds(),
          made.lsn(),
          end.entry().at(),
          made.commitTs());
    }
  }

  /** The start was behind already, and the clock went on from there. */
  private static boolean wasTold(Offset start, ServerClock clock, LocalDateTime own) {
    LocalDateTime at = start.at();
    if (at == null) {
      return false;
    }
    LocalDateTime before = clock.toUtc(new MapEntry(start.lsn(), at));
    return isBehind(before, start.commitTs()) && !isBehind(own, before);
  }

  private static boolean isBehind(LocalDateTime time, @Nullable LocalDateTime other) {
    return other != null && time.plus(TOLERANCE).isBefore(other);
  }
}

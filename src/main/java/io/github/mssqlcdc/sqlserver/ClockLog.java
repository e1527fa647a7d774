package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionTarget;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a server's fixed offset, once for all clients of the JVM that read the same one.
 * Thread-safe.
 */
final class ClockLog {
  private static final Logger LOG = LoggerFactory.getLogger(ClockLog.class);
  private static final int SECONDS_PER_MINUTE = 60;

  private final ConnectionTarget target;
  private final AtomicReference<@Nullable ZoneOffset> told = new AtomicReference<>();

  ClockLog(ConnectionTarget target) {
    this.target = target;
  }

  /**
   * @param why as it reads before a comma
   */
  void taken(ZoneOffset offset, String why) {
    ZoneOffset before = told.getAndSet(offset);
    if (before == null) {
      LOG.warn(warning(offset, why));
    } else if (!before.equals(offset)) {
      LOG.warn(
          "Server clock ({}): its offset from UTC changed from {} to {} minutes; commits since the"
              + " last batch may be an hour off. Set option 'sourceTimeZone'",
          target,
          minutes(before),
          minutes(offset));
    }
  }

  String warning(ZoneOffset offset, String why) {
    return "Server clock ("
        + target
        + "): "
        + why
        + ", the fixed offset "
        + label(offset)
        + " is taken, which is wrong across daylight saving changes; set option 'sourceTimeZone'";
  }

  private static String label(ZoneOffset offset) {
    return offset.getTotalSeconds() == 0 ? "UTC" : "UTC" + offset;
  }

  private static int minutes(ZoneOffset offset) {
    return offset.getTotalSeconds() / SECONDS_PER_MINUTE;
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.ConnectionTarget;
import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once when capture has stopped in a database, for all clients of the JVM. Judged by max LSN
 * alone, whoever reads the log: even where nothing happens it moves every five minutes, but for the
 * time that the server's clock is behind the newest entry, as in an hour that repeats. So it has to
 * stand still by the server's clock and by our own. Thread-safe.
 */
final class CaptureWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureWatch.class);
  private static final Duration LIMIT = Duration.ofMinutes(15);

  /** At first sight the server's clock stands alone, and may just have gone forward by an hour. */
  private static final Duration FIRST_LIMIT = LIMIT.plusHours(1);

  private final ConnectionTarget target;
  private final LongSupplier nanoTime;
  private @Nullable Lsn max;
  private @Nullable Reading last;
  private long since;
  private boolean isTold;

  /**
   * What one read of max LSN told.
   *
   * @param max null: the map is empty
   * @param at time of its entry, null without one
   * @param now the server's time, on the same clock
   */
  record Newest(@Nullable Lsn max, @Nullable LocalDateTime at, LocalDateTime now) {
    @Nullable Duration age() {
      return at == null ? null : Duration.between(at, now);
    }
  }

  private record Reading(@Nullable Duration age, long nanos) {}

  /** T-SQL of a {@link Newest}'s last two columns, where {@code @max} is declared. */
  static final String COLUMNS =
      "(SELECT tran_end_time FROM cdc.lsn_time_mapping WHERE start_lsn = @max) AS newest_at,"
          + " SYSDATETIME() AS server_now";

  CaptureWatch(ConnectionTarget target, LongSupplier nanoTime) {
    this.target = target;
    this.nanoTime = nanoTime;
  }

  synchronized void observe(Newest newest) {
    long nanos = nanoTime.getAsLong();
    boolean isFirst = last == null;
    Duration age = newest.age();
    last = new Reading(age, nanos);
    if (isFirst || hasMoved(newest)) {
      max = newest.max();
      since = nanos;
      isTold = false;
    }
    boolean isOld = age == null ? newest.max() == null : isAtLeast(age, LIMIT);
    boolean stands = isOld && isAtLeast(Duration.ofNanos(nanos - since), LIMIT);
    boolean isVeryOld = isFirst && age != null && isAtLeast(age, FIRST_LIMIT);
    if (!isTold && (stands || isVeryOld)) {
      isTold = true;
      LOG.warn(
          "Capture ({}): max LSN has stayed at {} for {} minutes; its commit was at {} on the"
              + " server's clock, which shows {} now. Capture has stopped or is far behind: streams"
              + " get nothing new and aren't up to date. Look at the capture job (SQL Server Agent's"
              + " job cdc.<database>_capture, replication's log reader, or Azure's scheduler) and at"
              + " its errors in sys.dm_cdc_errors",
          target,
          max == null ? "nothing (the LSN map is empty)" : max,
          (age == null ? Duration.ofNanos(nanos - since) : age).toMinutes(),
          newest.at(),
          newest.now());
    }
  }

  /**
   * How far the newest commit captured lies behind the server's clock, by the last read and the
   * time since; null if unknown.
   */
  synchronized @Nullable Duration lag() {
    if (last == null || last.age() == null) {
      return null;
    }
    long nanos = nanoTime.getAsLong();
    Duration byServer = last.age().plusNanos(nanos - last.nanos());
    Duration byUs = Duration.ofNanos(nanos - since);
    return isAtLeast(byServer, byUs) ? byServer : byUs;
  }

  /** A lower max LSN is a lagging replica's, unless it is young: then the database was restored. */
  private boolean hasMoved(Newest newest) {
    Lsn now = newest.max();
    if (now == null || now.equals(max)) {
      return false;
    }
    Duration age = newest.age();
    return max == null || now.isAfter(max) || age != null && !isAtLeast(age, LIMIT);
  }

  private static boolean isAtLeast(Duration duration, Duration limit) {
    return duration.compareTo(limit) >= 0;
  }
}

package io.github.mssqlcdc.source.stream;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BatchMeasure;
import io.github.mssqlcdc.metric.RangeMeasure;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.sqlserver.ChangePlan;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import io.github.mssqlcdc.sqlserver.SourceMarks;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What poll and plan of a batch have told of the source, as the facts have it. */
final class BatchMarks {
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double NANOS_PER_MILLI = 1_000_000;

  private BatchMarks() {}

  /**
   * @param plan of the batch's last part
   * @param poll null: none found the batch's end
   * @param total null: its ranges, or nobody, will tell
   */
  static BatchMeasure of(
      Offset end,
      ChangePlan plan,
      ServerClock clock,
      @Nullable Poll poll,
      @Nullable RangeMeasure total) {
    SourceMarks marks = plan.clock();
    Lsn last = plan.maxLsn() == null ? end.lsn() : plan.maxLsn();
    LocalDateTime newest = utc(clock, last, marks.newest());
    LocalDateTime now = clock.toUtc(new MapEntry(last, marks.now()));
    return new BatchMeasure(
        total,
        roundTripMs(poll),
        utc(clock, plan.minLsn(), marks.retention()),
        notBefore(end.commitTs(), newest),
        newest == null
            ? null
            : (Double) (newest.until(now, ChronoUnit.MILLIS) / MILLIS_PER_SECOND));
  }

  private static @Nullable Double roundTripMs(@Nullable Poll poll) {
    return poll == null || poll.roundTrip() == null
        ? null
        : (Double) (poll.roundTrip().toNanos() / NANOS_PER_MILLI);
  }

  static @Nullable LocalDateTime utc(
      ServerClock clock, @Nullable Lsn lsn, @Nullable LocalDateTime local) {
    return lsn == null || local == null ? null : clock.toUtc(new MapEntry(lsn, local));
  }

  /** The map's times may step back: what the batch ends with counts as captured, too. */
  private static @Nullable LocalDateTime notBefore(
      @Nullable LocalDateTime floor, @Nullable LocalDateTime time) {
    return time == null || floor == null || !time.isBefore(floor) ? time : floor;
  }
}

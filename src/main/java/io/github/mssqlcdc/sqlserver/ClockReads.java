package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.Database.Purpose;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns the map's times into commit times. Only where they touch an hour that repeats the server is
 * asked once more: on which side of the step they are. Thread-safe.
 */
final class ClockReads {
  private final Database database;
  private final ClockDetector clocks;
  private final Duration timeout;

  ClockReads(Database database, ClockDetector clocks, Duration timeout) {
    this.database = database;
    this.clocks = clocks;
    this.timeout = timeout;
  }

  /**
   * Raw times of the entries in (after, through].
   *
   * @param earliest the smallest
   * @param latest the largest
   * @param now the server's time when they were read
   */
  record RawTimes(
      Lsn after, Lsn through, LocalDateTime earliest, LocalDateTime latest, ServerTime now) {}

  /**
   * @param clock for these entries
   * @param latest the largest commit time among them, UTC
   */
  record Times(ServerClock clock, LocalDateTime latest) {}

  Times times(RawTimes raw) {
    ServerClock clock = clocks.clock(raw.now());
    LocalDateTime latest = clock.toUtc(raw.latest());
    if (clocks.isOffset()) {
      // across a change of the offset the times before it would be ahead of the present
      return new Times(clock, earlier(latest, raw.now().utc()));
    }
    List<FallBack> found = new ArrayList<>();
    for (Found back : fallBacks(clock, raw.earliest(), raw.latest(), raw.after(), raw.through())) {
      found.add(back.fallBack());
      latest = later(latest, back.latest());
    }
    return new Times(clock.with(found), latest);
  }

  LocalDateTime commitTs(MapEntry entry) {
    ServerClock clock = clocks.clock();
    List<FallBack> found =
        fallBacks(clock, entry.at(), entry.at(), entry.lsn().previous(), entry.lsn()).stream()
            .map(Found::fallBack)
            .toList();
    return clock.with(found).toUtc(entry);
  }

  /** The clock for the entries of (after, through]. */
  ServerClock clock(Lsn after, Lsn through) {
    Optional<RawTimes> raw =
        database.query(
            new Purpose("read the times of the LSN map", null),
            timeout,
            ClockSql.times(after, through),
            results -> raw(after, through, results.nextRow()));
    return raw.map(found -> times(found).clock()).orElseGet(clocks::clock);
  }

  private static Optional<RawTimes> raw(Lsn after, Lsn through, ResultSet row) throws SQLException {
    LocalDateTime earliest = Results.time(row, 1);
    LocalDateTime latest = Results.time(row, 2);
    return earliest == null || latest == null
        ? Optional.empty()
        : Optional.of(new RawTimes(after, through, earliest, latest, ServerTime.of(row, 3)));
  }

  private List<Found> fallBacks(
      ServerClock clock, LocalDateTime first, LocalDateTime last, Lsn after, Lsn through) {
    List<ZoneOffsetTransition> overlaps = clock.overlapsIn(first, last);
    return overlaps.isEmpty()
        ? List.of()
        : database.query(
            new Purpose("read where the server's clock went back", null),
            timeout,
            ClockSql.fallBacks(overlaps, after, through),
            results -> {
              List<Found> found = new ArrayList<>();
              for (ZoneOffsetTransition overlap : overlaps) {
                ResultSet row = results.nextRow();
                Lsn step = Results.lsn(row, 1);
                if (step != null) {
                  FallBack back = new FallBack(overlap, step, Results.lsn(row, 2));
                  LocalDateTime latest = Results.time(row, 3);
                  found.add(new Found(back, latest == null ? null : back.toUtc(latest)));
                }
              }
              return found;
            });
  }

  private static LocalDateTime earlier(LocalDateTime a, LocalDateTime b) {
    return b.isBefore(a) ? b : a;
  }

  private static LocalDateTime later(LocalDateTime a, @Nullable LocalDateTime b) {
    return b != null && b.isAfter(a) ? b : a;
  }

  /**
   * @param latest the latest commit time of its second pass among the entries asked for, UTC; null
   *     if none is of it
   */
  private record Found(FallBack fallBack, @Nullable LocalDateTime latest) {}
}

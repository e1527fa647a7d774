package io.github.mssqlcdc.testkit.source;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.sqlserver.FallBack;
import io.github.mssqlcdc.sqlserver.Head;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.ServerClock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** What a server finds in its LSN map about hours that repeat, entry by entry. */
public final class FallBacks {
  private FallBacks() {}

  /** The end of a batch after {@code after}. */
  public static Head.End end(
      ZoneId zone, NavigableMap<Lsn, LocalDateTime> map, Lsn after, MapEntry end) {
    ServerClock clock = clock(zone, map, after, end.lsn());
    LocalDateTime latest =
        map.subMap(after, false, end.lsn(), true).entrySet().stream()
            .map(entry -> clock.toUtc(new MapEntry(entry.getKey(), entry.getValue())))
            .max(LocalDateTime::compareTo)
            .orElseThrow();
    return new Head.End(end, latest, clock);
  }

  /** The clock for the entries of (after, through]. */
  public static ServerClock clock(
      ZoneId zone, NavigableMap<Lsn, LocalDateTime> map, Lsn after, Lsn through) {
    Set<ZoneOffsetTransition> overlaps = new LinkedHashSet<>();
    map.subMap(after, false, through, true)
        .values()
        .forEach(
            at -> {
              for (LocalDateTime time : new LocalDateTime[] {at, at.minusNanos(1)}) {
                ZoneOffsetTransition transition = zone.getRules().getTransition(time);
                if (transition != null && transition.isOverlap()) {
                  overlaps.add(transition);
                }
              }
            });
    return new ServerClock(
        zone,
        overlaps.stream()
            .flatMap(overlap -> java.util.stream.Stream.ofNullable(fallBack(overlap, map)))
            .toList());
  }

  private static FallBack fallBack(
      ZoneOffsetTransition overlap, NavigableMap<Lsn, LocalDateTime> map) {
    LocalDateTime begin = overlap.getDateTimeAfter();
    LocalDateTime end = overlap.getDateTimeBefore();
    Lsn step = null;
    LocalDateTime previous = null;
    for (Map.Entry<Lsn, LocalDateTime> entry : map.entrySet()) {
      LocalDateTime at = entry.getValue();
      if (step == null
          && previous != null
          && !at.isBefore(begin)
          && !at.isAfter(end)
          && at.isBefore(previous.minusMinutes(1))
          && !previous.isAfter(end.plusHours(1))) {
        step = entry.getKey();
      }
      if (step != null && !at.isBefore(begin.plusMinutes(2)) && at.isBefore(end.minusMinutes(2))) {
        return new FallBack(overlap, step, entry.getKey());
      }
      previous = at;
    }
    return step == null ? null : new FallBack(overlap, step, null);
  }
}

package io.github.mssqlcdc.sqlserver;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns times on the server's clock into UTC. Where two instants have the same local time, and
 * nothing tells which is meant, it is the earlier one: a time that is too late would claim that
 * commits have been read which are still to come.
 *
 * @param zone the server's time zone; a fixed offset where it can't be known by name
 * @param fallBacks where the LSN map shows that an hour began again
 */
public record ServerClock(ZoneId zone, List<FallBack> fallBacks) implements Serializable {
  /**
   * A clock set wrong makes a range of centuries; the newest transitions are the ones that count.
   */
  private static final int TRANSITIONS = 16;

  public ServerClock {
    fallBacks = List.copyOf(fallBacks);
  }

  public ServerClock(ZoneId zone) {
    this(zone, List.of());
  }

  /** The commit time of an entry; in a gap, pushed forward by it. */
  public LocalDateTime toUtc(MapEntry entry) {
    for (FallBack back : fallBacks) {
      if (back.overlap().equals(overlapAt(entry.at())) && back.isSecondPass(entry)) {
        return back.toUtc(entry.at());
      }
    }
    return toUtc(entry.at());
  }

  /** As for an entry of which nobody knows the LSN: the earlier of two instants. */
  public LocalDateTime toUtc(LocalDateTime local) {
    ZoneOffsetTransition overlap = overlapAt(local);
    return overlap == null
        ? local.atZone(zone).withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime()
        : local.minusSeconds(overlap.getOffsetBefore().getTotalSeconds());
  }

  /**
   * A local time, cut to the second, that the clock doesn't show again from this instant on: the
   * earlier of its own time, and that of an hour later less the hour.
   */
  LocalDateTime earliestLocal(LocalDateTime utc) {
    LocalDateTime own = local(utc);
    LocalDateTime later = local(utc.plusHours(1)).minusHours(1);
    return (later.isBefore(own) ? later : own).truncatedTo(ChronoUnit.SECONDS);
  }

  private LocalDateTime local(LocalDateTime utc) {
    return utc.atZone(ZoneOffset.UTC).withZoneSameInstant(zone).toLocalDateTime();
  }

  /** The hours that repeat and lie, partly at least, in this span of local times. */
  List<ZoneOffsetTransition> overlapsIn(LocalDateTime first, LocalDateTime last) {
    List<ZoneOffsetTransition> overlaps = new ArrayList<>();
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition at = rules.previousTransition(last.plusDays(2).toInstant(ZoneOffset.UTC));
    for (int i = 0;
        i < TRANSITIONS && at != null && !at.getDateTimeBefore().isBefore(first.minusDays(2));
        i++) {
      if (at.isOverlap()
          && !at.getDateTimeAfter().isAfter(last)
          && !at.getDateTimeBefore().isBefore(first)) {
        overlaps.add(at);
      }
      at = rules.previousTransition(at.getInstant());
    }
    return overlaps;
  }

  ServerClock with(List<FallBack> found) {
    return new ServerClock(zone, found);
  }

  /** The end of the hour belongs to it: datetime rounds to it what was a millisecond before. */
  private @Nullable ZoneOffsetTransition overlapAt(LocalDateTime local) {
    ZoneRules rules = zone.getRules();
    if (rules.isFixedOffset()) {
      return null;
    }
    ZoneOffsetTransition at = rules.getTransition(local);
    if (at == null) {
      ZoneOffsetTransition before = rules.getTransition(local.minusNanos(1));
      at = before != null && before.getDateTimeBefore().equals(local) ? before : null;
    }
    return at != null && at.isOverlap() ? at : null;
  }
}

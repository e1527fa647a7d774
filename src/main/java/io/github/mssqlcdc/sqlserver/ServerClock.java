package io.github.mssqlcdc.sqlserver;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Turns times on the server's clock into UTC. Never runs backwards: of two local times the later
 * one is not earlier in UTC.
 *
 * @param zone the server's time zone; a fixed offset where it can't be known by name
 */
public record ServerClock(ZoneId zone) implements Serializable {

  /** In an hour that repeats, the earlier of both instants; in a gap, pushed forward by it. */
  public LocalDateTime toUtc(LocalDateTime local) {
    return local.atZone(zone).withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime();
  }
}

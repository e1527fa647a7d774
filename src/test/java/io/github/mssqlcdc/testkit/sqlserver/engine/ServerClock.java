package io.github.mssqlcdc.testkit.sqlserver.engine;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/** The server's clock in the server's zone. */
record ServerClock(Clock clock, ZoneId zone) {

  OffsetDateTime now() {
    return clock.instant().atZone(zone).toOffsetDateTime();
  }

  LocalDateTime local() {
    return now().toLocalDateTime();
  }
}

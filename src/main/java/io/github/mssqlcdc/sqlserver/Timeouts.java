package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Watch.Patience;
import java.time.Duration;

/**
 * How long the server may take where no option says it.
 *
 * @param stall how long it may be silent before the first row of a read and between rows
 * @param patience with waits
 */
record Timeouts(Duration stall, Patience patience) {
  static final Timeouts DEFAULT = new Timeouts(Duration.ofMinutes(10), Patience.DEFAULT);
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.options.SourceOptions;
import java.time.Duration;

/** Opens the port to a database. */
public final class SqlServers {
  private SqlServers() {}

  /**
   * A client of the options' database; it sends nothing yet. Clients of equal connection options
   * share one connection pool per JVM, and one poll of max LSN per server, database and login.
   *
   * @param pollInterval how old a shared max LSN may be before an idle stream reads it again
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the options can't be used: an
   *     unknown time zone, for example
   */
  public static SqlServer connect(SourceOptions options, Duration pollInterval) {
    throw new UnsupportedOperationException(options + " " + pollInterval);
  }
}

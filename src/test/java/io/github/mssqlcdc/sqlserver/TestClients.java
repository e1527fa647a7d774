package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.options.StreamOptions;
import java.time.Duration;

/** Clients for tests of other packages. */
public final class TestClients {
  private TestClients() {}

  /** One that retries as always, but doesn't wait. */
  public static SqlServer connect(StreamOptions options) {
    return SqlServers.connect(
        options.source(),
        options.pollInterval(),
        new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO));
  }
}

package io.github.mssqlcdc.sqlserver;

import io.github.mssqlcdc.connection.Retry;
import io.github.mssqlcdc.options.SnapshotOptions;
import io.github.mssqlcdc.options.StreamOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Clients that don't wait between retries. */
public final class TestClients {
  private TestClients() {}

  public static SqlServer connect(StreamOptions options) {
    return connect(options, options.pollInterval());
  }

  /** One that reads snapshots. */
  public static SqlServer connect(SnapshotOptions options) {
    return SqlServers.connect(
        options.source(), Duration.ZERO, new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO));
  }

  /** One of a scripted server, for capture instance {@code dbo_orders}. */
  static SqlServer connect(ScriptedServer server, Duration pollInterval, String... namesAndValues) {
    return connect(StreamOptions.parse(options(server.url(), namesAndValues)), pollInterval);
  }

  /** One with little patience, likewise. */
  static SqlServer connect(Timeouts timeouts, String url, String... namesAndValues) {
    return connect(timeouts, options(url, namesAndValues));
  }

  private static Map<String, String> options(String url, String... namesAndValues) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", url,
                "user", "reader",
                "password", "geheim",
                "captureInstance", "dbo_orders"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  /** One with little patience. */
  static SqlServer connect(Timeouts timeouts, Map<String, String> options) {
    return SqlServers.connect(
        StreamOptions.parse(options).source(),
        Duration.ZERO,
        new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO),
        timeouts);
  }

  private static SqlServer connect(StreamOptions options, Duration pollInterval) {
    return SqlServers.connect(
        options.source(), pollInterval, new Retry(ErrorNumbers::mayPass, retry -> Duration.ZERO));
  }
}

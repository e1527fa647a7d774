package io.github.mssqlcdc.testkit.log;

import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Loggers that say nothing while this is open. Closing gives each the level that it had, so that a
 * test which comes later in the same JVM still finds the warnings it looks for.
 */
public final class MutedLog implements AutoCloseable {
  private final Map<String, @Nullable Level> before = new HashMap<>();

  private MutedLog() {}

  public static MutedLog of(Class<?> type) {
    return of(type.getName());
  }

  /**
   * @param names of the loggers, each with all below it
   */
  public static MutedLog of(String... names) {
    var muted = new MutedLog();
    Configuration logging = ((LoggerContext) LogManager.getContext(false)).getConfiguration();
    for (String name : names) {
      LoggerConfig own = logging.getLoggers().get(name);
      muted.before.put(name, own == null ? null : own.getExplicitLevel());
      Configurator.setLevel(name, Level.OFF);
    }
    return muted;
  }

  @Override
  public void close() {
    before.forEach(Configurator::setLevel);
  }
}

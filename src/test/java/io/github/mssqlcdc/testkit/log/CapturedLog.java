package io.github.mssqlcdc.testkit.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What one class logs at WARN and above while this is open. */
public final class CapturedLog implements AutoCloseable {
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender;

  private CapturedLog(Logger logger) {
    this.logger = logger;
    this.appender = new Appender(warnings);
    appender.start();
    logger.addAppender(appender);
  }

  public static CapturedLog of(Class<?> type) {
    return new CapturedLog((Logger) LogManager.getLogger(type));
  }

  /**
   * @param name of the logger
   */
  public static CapturedLog of(String name) {
    return new CapturedLog((Logger) LogManager.getLogger(name));
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }

  private static final class Appender extends AbstractAppender {
    private final List<String> warnings;

    Appender(List<String> warnings) {
      super("captured", null, null, true, Property.EMPTY_ARRAY);
      this.warnings = warnings;
    }

    @Override
    public void append(LogEvent event) {
      if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
        warnings.add(event.getMessage().getFormattedMessage());
      }
    }
  }
}

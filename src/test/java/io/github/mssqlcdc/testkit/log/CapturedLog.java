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
public final class CapturedLog extends AbstractAppender implements AutoCloseable {
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private CapturedLog(Logger logger) {
    super("captured " + logger.getName(), null, null, false, Property.EMPTY_ARRAY);
    this.logger = logger;
  }

  /**
   * @param name of the logger
   */
  public static CapturedLog of(String name) {
    CapturedLog log = new CapturedLog((Logger) LogManager.getLogger(name));
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void append(LogEvent event) {
    if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
      warnings.add(event.getMessage().getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    stop();
  }
}

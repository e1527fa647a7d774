package io.github.mssqlcdc.testkit.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs while it is open. */
public final class CapturedLog implements AutoCloseable {
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("captured", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel() == Level.WARN) {
            warnings.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  private CapturedLog(Logger logger) {
    this.logger = logger;
  }

  public static CapturedLog of(Class<?> type) {
    return of(type.getName());
  }

  /**
   * @param name of a class that the test can't see
   */
  public static CapturedLog of(String name) {
    CapturedLog log = new CapturedLog((Logger) LogManager.getLogger(name));
    log.appender.start();
    log.logger.addAppender(log.appender);
    return log;
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }
}

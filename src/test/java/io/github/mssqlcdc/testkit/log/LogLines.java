package io.github.mssqlcdc.testkit.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What the library logs, from INFO on, until it is closed. */
public final class LogLines implements AutoCloseable {
  private static final String OWN = "io.github.mssqlcdc";

  private final List<Line> lines = Collections.synchronizedList(new ArrayList<>());
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
  private final LoggerConfig logger = context.getConfiguration().getLoggerConfig(OWN);
  private final Level before = logger.getLevel();
  private final Appender appender = new Appender();

  /** A logged event. */
  public record Line(Level level, String logger, String thread, String text) {}

  private LogLines() {}

  public static LogLines watching() {
    LogLines lines = new LogLines();
    lines.appender.start();
    lines.logger.addAppender(lines.appender, Level.INFO, null);
    lines.logger.setLevel(Level.INFO);
    lines.context.updateLoggers();
    return lines;
  }

  public List<Line> at(Level level) {
    return all().stream().filter(line -> line.level().equals(level)).toList();
  }

  public List<Line> all() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  @Override
  public void close() {
    logger.removeAppender(appender.getName());
    logger.setLevel(before);
    context.updateLoggers();
    appender.stop();
  }

  private final class Appender extends AbstractAppender {
    Appender() {
      super("log-lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      lines.add(
          new Line(
              event.getLevel(),
              event.getLoggerName(),
              event.getThreadName(),
              event.getMessage().getFormattedMessage()));
    }
  }
}

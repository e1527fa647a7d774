package io.github.mssqlcdc.testkit.spark;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.SparkFirehoseListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.JsonProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Finds a text wherever a run may disclose it: in every log line of the JVM, at DEBUG, and in every
 * event that Spark's UI and history are made of. A test adds what it holds in its hands.
 */
public final class Disclosures implements AutoCloseable {
  private final String secret;
  private final List<String> found = Collections.synchronizedList(new ArrayList<>());
  private final String control;
  private final Set<String> controls = Collections.synchronizedSet(new TreeSet<>());
  private final Events listener = new Events();
  private final Lines appender = new Lines();
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
  private final Configuration logging = context.getConfiguration();
  private final Level before = logging.getRootLogger().getLevel();
  private final Level ownBefore = own().getLevel();

  private Disclosures(String secret, String control) {
    this.secret = secret;
    this.control = control;
  }

  /**
   * Looks for a text until it is closed.
   *
   * @param control a text that is no secret: where it is found, a secret would be, too
   */
  public static Disclosures of(String secret, String control) {
    Disclosures disclosures = new Disclosures(secret, control);
    disclosures.start();
    return disclosures;
  }

  private LoggerConfig own() {
    return logging.getLoggerConfig("io.github.mssqlcdc");
  }

  private void start() {
    appender.start();
    // its own level is DEBUG; what is printed keeps to the level that it had
    logging.getRootLogger().getAppenders().keySet().stream()
        .toList()
        .forEach(
            name -> {
              var printed = logging.getRootLogger().getAppenders().get(name);
              logging.getRootLogger().removeAppender(name);
              logging.getRootLogger().addAppender(printed, before, null);
            });
    logging.getRootLogger().addAppender(appender, Level.DEBUG, null);
    logging.getRootLogger().setLevel(Level.DEBUG);
    own().setLevel(Level.DEBUG);
    context.updateLoggers();
    TestSession.get().sparkContext().addSparkListener(listener);
  }

  /** Looks into the text of a thing, and into the whole trace of an exception. */
  public void add(String where, @Nullable Object thing) {
    if (thing instanceof Throwable failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      look(where, trace.toString());
    } else {
      look(where, String.valueOf(thing));
    }
  }

  /** Waits until Spark has told all that happened so far. */
  public void await(SparkSession spark) throws IllegalStateException {
    try {
      spark.sparkContext().listenerBus().waitUntilEmpty(30_000);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Spark's events don't end", e);
    }
  }

  /** Where the text stood, with some of what is around it. */
  public List<String> found() {
    synchronized (found) {
      return List.copyOf(found);
    }
  }

  /** The first words of where the control stood. */
  public Set<String> controls() {
    synchronized (controls) {
      return Set.copyOf(controls);
    }
  }

  private void look(String where, String text) {
    if (text.contains(control)) {
      controls.add(where.split(" ", 2)[0]);
    }
    int at = text.indexOf(secret);
    if (at >= 0) {
      found.add(where + ": " + text.substring(Math.max(0, at - 300), at + secret.length()));
    }
  }

  @Override
  public void close() {
    TestSession.get().sparkContext().removeSparkListener(listener);
    LoggerConfig root = logging.getRootLogger();
    root.removeAppender(appender.getName());
    root.setLevel(before);
    own().setLevel(ownBefore);
    context.updateLoggers();
    appender.stop();
  }

  private final class Lines extends AbstractAppender {
    Lines() {
      super("disclosures", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      look("log of " + event.getLoggerName(), event.getMessage().getFormattedMessage());
      if (event.getThrown() != null) {
        add("log of " + event.getLoggerName(), event.getThrown());
      }
    }
  }

  private final class Events extends SparkFirehoseListener {
    @Override
    public void onEvent(SparkListenerEvent event) {
      look("event " + event.getClass().getSimpleName(), String.valueOf(event));
      look(
          "JSON of " + event.getClass().getSimpleName(),
          JsonProtocol.sparkEventToJsonString(event));
    }
  }
}

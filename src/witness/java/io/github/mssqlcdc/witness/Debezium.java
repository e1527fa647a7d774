package io.github.mssqlcdc.witness;

import io.debezium.connector.sqlserver.SqlServerConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.github.mssqlcdc.testkit.contract.StandInDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Debezium's embedded engine on a database of a stand-in, until it is closed. Thread-safe. */
final class Debezium implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_MS = 20;

  private final List<SourceRecord> records = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;

  private Debezium(Properties settings) {
    this.engine =
        DebeziumEngine.create(Connect.class)
            .using(settings)
            .using((success, message, error) -> end(success, message, error))
            .notifying(event -> records.add(event.value()))
            .build();
    thread.execute(engine);
  }

  /**
   * Starts it.
   *
   * @param folder of its offsets and its schema history: with the same folder it goes on
   * @param tables with their schema, comma-separated
   */
  static Debezium start(StandInDatabase database, Path folder, String tables) {
    return new Debezium(settings(database, folder, tables));
  }

  /** What the connector objects to in its settings, having connected with this password. */
  static List<String> objections(StandInDatabase database, Path folder, String password) {
    Map<String, String> settings = new HashMap<>();
    settings(database, folder, "dbo.*")
        .forEach((name, value) -> settings.put("" + name, "" + value));
    settings.put("database.password", password);
    return new SqlServerConnector()
        .validate(settings).configValues().stream()
            .map(ConfigValue::errorMessages)
            .flatMap(List::stream)
            .toList();
  }

  private static Properties settings(StandInDatabase database, Path folder, String tables) {
    return new DebeziumSettings(
            database.standIn().port(), database.name(), database.user(), database.password())
        .of(folder, tables);
  }

  private void end(boolean success, String message, @Nullable Throwable error) {
    if (!success) {
      failure.set(error == null ? new IllegalStateException(message) : error);
    }
  }

  /** All events so far, in order. */
  List<SourceRecord> records() {
    synchronized (records) {
      return List.copyOf(records);
    }
  }

  /** Waits until the events so far satisfy a condition. */
  List<SourceRecord> await(Predicate<List<SourceRecord>> enough) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<SourceRecord> seen = records();
      Throwable failed = failure.get();
      if (failed != null) {
        throw new AssertionError("Debezium ended", failed);
      }
      if (enough.test(seen)) {
        return seen;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("No more than " + seen.size() + " events: " + seen);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Stops it; its offsets are written. */
  @Override
  public void close() throws IOException {
    engine.close();
    thread.shutdown();
  }
}

package io.github.mssqlcdc.pipeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams that {@link StartManyRequest} has started. They run apart from each other, and end when
 * Spark's queries end, not with this object. Thread-safe.
 *
 * <pre>{@code
 * StartedStreams streams = CdcStream.startMany(spark, options, "bronze.{ci}")…start();
 * while (!streams.awaitAll(Duration.ofMinutes(5)) || !streams.failures().isEmpty()) {
 *   streams.failures().forEach((table, failure) -> streams.restart(table));
 * }
 * }</pre>
 */
public final class StartedStreams {
  private static final Logger LOG = LoggerFactory.getLogger(StartedStreams.class);

  private final Map<String, DeltaStreamStart> starts;
  private final Map<String, StreamingQuery> queries;

  private StartedStreams(
      Map<String, DeltaStreamStart> starts, Map<String, StreamingQuery> queries) {
    this.starts = starts;
    this.queries = Collections.synchronizedMap(queries);
  }

  /** Starts all, or leaves none running. */
  static StartedStreams start(Map<String, DeltaStreamStart> starts, int atATime) {
    AtomicBoolean failed = new AtomicBoolean();
    Map<String, Future<@Nullable StreamingQuery>> begun = new LinkedHashMap<>();
    // threads inherit the caller's Spark session and job group
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(atATime, starts.size()));
    try {
      starts.forEach(
          (name, start) -> begun.put(name, threads.submit(() -> startUnless(failed, start))));
      return new StartedStreams(starts, ended(begun, failed));
    } finally {
      threads.shutdown();
    }
  }

  private static @Nullable StreamingQuery startUnless(
      AtomicBoolean failed, DeltaStreamStart start) {
    if (failed.get()) {
      return null;
    }
    try {
      return start.run();
    } catch (Exception | Error e) { // Spark throws checked exceptions undeclared
      failed.set(true);
      throw e;
    }
  }

  private static Map<String, StreamingQuery> ended(
      Map<String, Future<@Nullable StreamingQuery>> begun, AtomicBoolean failed) {
    Map<String, StreamingQuery> started = new LinkedHashMap<>();
    List<Throwable> failures = new ArrayList<>();
    List<InterruptedException> interrupts = new ArrayList<>();
    begun.forEach(
        (name, start) -> {
          try {
            StreamingQuery query = awaited(start, failed, interrupts);
            if (query != null) {
              started.put(name, query);
            }
          } catch (ExecutionException e) {
            failures.add(Objects.requireNonNull(e.getCause()));
          }
        });
    interrupts.forEach(
        e -> failures.add(new IllegalStateException("Interrupted while streams were started", e)));
    try {
      return orStopped(started, begun.size(), failures);
    } finally {
      if (!interrupts.isEmpty()) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Who is interrupted waits for what has begun, to stop it; no more begin. */
  private static @Nullable StreamingQuery awaited(
      Future<@Nullable StreamingQuery> start,
      AtomicBoolean failed,
      List<InterruptedException> interrupts)
      throws ExecutionException {
    while (true) {
      try {
        return start.get();
      } catch (InterruptedException e) {
        failed.set(true);
        interrupts.add(e);
      }
    }
  }

  private static Map<String, StreamingQuery> orStopped(
      Map<String, StreamingQuery> started, int count, List<Throwable> failures) {
    if (failures.isEmpty()) {
      return started;
    }
    LOG.warn(
        "{} of {} streams were started before one failed; they are stopped", started.size(), count);
    started.values().forEach(query -> stop(query, failures));
    throw failure(failures);
  }

  private static RuntimeException failure(List<Throwable> failures) {
    Throwable first = failures.get(0);
    failures.stream().skip(1).forEach(first::addSuppressed);
    if (first instanceof Error error) {
      throw error;
    }
    return first instanceof RuntimeException failure
        ? failure
        : new IllegalStateException("Failed to start a stream: " + first.getMessage(), first);
  }

  private static void stop(StreamingQuery query, List<Throwable> failures) {
    try {
      query.stop();
    } catch (Exception e) { // Spark throws checked exceptions undeclared
      failures.add(e);
    }
  }

  /**
   * Spark's own queries, running or ended, by the name that stands for {@code {ci}}, in the order
   * of their start.
   *
   * <pre>{@code
   * streams.queries().get("dbo_orders").lastProgress();
   * }</pre>
   */
  public Map<String, StreamingQuery> queries() {
    synchronized (queries) {
      return Collections.unmodifiableMap(new LinkedHashMap<>(queries));
    }
  }

  /**
   * What ended the streams that have failed, by name; empty while all run or were stopped.
   *
   * <pre>{@code
   * streams.failures().forEach((table, failure) -> alert(table, CdcErrors.isDataLoss(failure)));
   * }</pre>
   */
  public Map<String, StreamingQueryException> failures() {
    Map<String, StreamingQueryException> failures = new LinkedHashMap<>();
    queries()
        .forEach(
            (name, query) -> {
              if (query.exception().isDefined()) {
                failures.put(name, query.exception().get());
              }
            });
    return failures;
  }

  /**
   * Waits until every stream has ended, also if some fail before others.
   *
   * <pre>{@code
   * streams.awaitAll();
   * }</pre>
   *
   * @throws StreamingQueryException the failure of the first table that failed, those of others
   *     among its suppressed ones
   */
  public void awaitAll() throws StreamingQueryException {
    for (StreamingQuery query : queries().values()) {
      try {
        query.awaitTermination();
      } catch (StreamingQueryException e) {
        LOG.info("Stream '{}' has failed; waiting for the others", query.name());
      }
    }
    List<StreamingQueryException> failures = List.copyOf(failures().values());
    if (!failures.isEmpty()) {
      StreamingQueryException first = failures.get(0);
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  /**
   * The same for a while; {@link #failures} says who has failed.
   *
   * <pre>{@code
   * boolean isDone = streams.awaitAll(Duration.ofMinutes(5));
   * }</pre>
   *
   * @return whether every stream has ended
   */
  public boolean awaitAll(Duration atMost) {
    long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
    boolean ended = true;
    for (StreamingQuery query : queries().values()) {
      try {
        long left = Math.max(1, (end - System.nanoTime()) / 1_000_000);
        ended &= query.awaitTermination(left);
      } catch (StreamingQueryException e) {
        LOG.debug("Stream '{}' has failed", query.name(), e);
      }
    }
    return ended;
  }

  /**
   * Starts a stream that has ended once more, with the same arguments: it goes on from its
   * checkpoint.
   *
   * <pre>{@code
   * streams.restart("dbo_orders");
   * }</pre>
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException if the name isn't one of these streams
   * @throws IllegalArgumentException by Spark, if it is still running
   */
  public StreamingQuery restart(String name) {
    DeltaStreamStart start = starts.get(name);
    if (start == null) {
      throw Arguments.invalid("Unknown stream '" + name + "': there are " + starts.keySet());
    }
    StreamingQuery query = start.run();
    queries.put(name, query);
    return query;
  }

  /**
   * Stops all that still run, one after the other; each waits for its batch to end.
   *
   * <pre>{@code
   * streams.stopAll();
   * }</pre>
   *
   * @throws TimeoutException if one doesn't stop within {@code spark.sql.streaming.stopTimeout};
   *     the others are stopped
   */
  public void stopAll() throws TimeoutException {
    List<Throwable> failures = new ArrayList<>();
    queries().values().forEach(query -> stop(query, failures));
    if (!failures.isEmpty()) {
      TimeoutException failure =
          new TimeoutException("Failed to stop " + failures.size() + " streams in time");
      failures.forEach(failure::addSuppressed);
      throw failure;
    }
  }
}

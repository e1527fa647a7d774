package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.finalization.VerdictWorker;
import io.github.mssqlcdc.finalization.Verdicts;
import io.github.mssqlcdc.options.Granularity;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryListener;

/**
 * Follows a running query and moves its table's verdict, until the query ends. Thread-safe.
 *
 * <pre>{@code
 * FinalizationTracker tracker = verdicts.track(query, "bronze.orders", Granularity.HOUR);
 * tracker.lastError().ifPresent(error -> alert(error));
 * }</pre>
 */
public final class FinalizationTracker {
  private final VerdictWorker worker;

  private FinalizationTracker(VerdictWorker worker) {
    this.worker = worker;
  }

  static FinalizationTracker start(
      StreamingQuery query, String table, Granularity granularity, VerdictWorker.Mover mover) {
    VerdictWorker worker = new VerdictWorker(table, granularity, mover);
    Follower follower = new Follower(query, worker);
    worker.start();
    query.sparkSession().streams().addListener(follower);
    Verdicts.end(query.lastProgress()).ifPresent(worker::reached);
    if (!query.isActive()) {
      follower.ended();
    }
    return new FinalizationTracker(worker);
  }

  /**
   * Waits until the query has ended and its last position is worked on.
   *
   * <pre>{@code
   * boolean isDone = tracker.join(Duration.ofMinutes(2));
   * }</pre>
   *
   * @return whether that is so
   */
  public boolean join(Duration atMost) throws InterruptedException {
    return worker.join(atMost);
  }

  /**
   * How often in a row the verdict couldn't be moved, up to now; 0 after a success.
   *
   * <pre>{@code
   * if (tracker.failures() > 3) { … }
   * }</pre>
   */
  public int failures() {
    return worker.failures();
  }

  /**
   * The last of these failures; empty after a success.
   *
   * <pre>{@code
   * tracker.lastError().ifPresent(Throwable::printStackTrace);
   * }</pre>
   */
  public Optional<Throwable> lastError() {
    return worker.lastError();
  }

  /**
   * Spark calls it in the one thread that serves all listeners of the query's session: it does no
   * work here.
   */
  private static final class Follower extends StreamingQueryListener {
    private final StreamingQuery query;
    private final UUID run;
    private final VerdictWorker worker;

    Follower(StreamingQuery query, VerdictWorker worker) {
      this.query = query;
      this.run = query.runId();
      this.worker = worker;
    }

    void ended() {
      query.sparkSession().streams().removeListener(this);
      Verdicts.end(query.lastProgress()).ifPresent(worker::reached);
      worker.end();
    }

    @Override
    public void onQueryStarted(QueryStartedEvent event) {}

    @Override
    public void onQueryProgress(QueryProgressEvent event) {
      if (event.progress().runId().equals(run)) {
        Verdicts.end(event.progress()).ifPresent(worker::reached);
      }
    }

    @Override
    public void onQueryTerminated(QueryTerminatedEvent event) {
      if (event.runId().equals(run)) {
        ended();
      }
    }
  }
}

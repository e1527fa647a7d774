package io.github.mssqlcdc.testkit.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets something happen once, right before the shared session opens a file below a folder, as if
 * another process were quicker. Close it in any case.
 */
public final class DiskMoment implements AutoCloseable {
  /** Hadoop makes the file systems, so they can't be handed it. */
  private static final AtomicReference<@Nullable DiskMoment> ACTIVE = new AtomicReference<>();

  private final String folder;
  private final FutureTask<?> event;

  private DiskMoment(String folder, Callable<?> event) {
    this.folder = folder;
    this.event = new FutureTask<>(event);
  }

  public static DiskMoment beforeReading(Path folder, Callable<?> event) {
    DiskMoment moment = new DiskMoment(folder.toString(), event);
    ACTIVE.set(moment);
    return moment;
  }

  /** Whether it has happened. */
  public boolean hasCome() {
    return event.isDone();
  }

  static void before(org.apache.hadoop.fs.Path path) throws IOException {
    DiskMoment moment = ACTIVE.get();
    if (moment != null
        && path.toUri().getPath().startsWith(moment.folder)
        && ACTIVE.compareAndSet(moment, null)) {
      moment.happen();
    }
  }

  /** On a thread of its own: Spark lets none of its tasks start a query. */
  private void happen() throws IOException {
    new Thread(event, "disk-moment").start();
    try {
      var unused = event.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException("What should happen before the read failed", e);
    }
  }

  @Override
  public void close() {
    ACTIVE.set(null);
  }
}

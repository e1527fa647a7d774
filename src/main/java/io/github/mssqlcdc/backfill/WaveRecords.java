package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.SnapshotId;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.plans.ReadWave;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records waves that are in bronze, first in the plans table, then in the facts: one after the
 * other, in a thread of its own, while the next wave is read. That thread has what the caller's has
 * of Spark: job group, scheduler pool. Used by one thread.
 */
final class WaveRecords implements AutoCloseable {
  private final BiConsumer<Progress, ReadWave> writer;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "mssql-cdc-backfill");
            thread.setDaemon(true);
            return thread;
          });
  private CompletableFuture<Void> pending = CompletableFuture.completedFuture(null);

  /**
   * @param writer records a wave, given what was done before it
   */
  WaveRecords(BiConsumer<Progress, ReadWave> writer) {
    this.writer = writer;
  }

  /** Keeps a wave, then tells of it. */
  static BiConsumer<Progress, ReadWave> into(SnapshotId id, ChunkStore store) {
    return (before, wave) -> {
      if (!store.keep(before, wave)) {
        requireOwn(id, store, wave);
      }
      store.tell(wave);
    };
  }

  /** Somebody has recorded the wave: what was committed, or something else? */
  private static void requireOwn(SnapshotId id, ChunkStore store, ReadWave wave) {
    Progress recorded = store.progress();
    boolean isOwn =
        recorded.wave() > wave.wave() || Objects.equals(recorded.attempt(), wave.attempt());
    if (!isOwn) {
      throw conflict(id, wave.wave(), recorded.attempt());
    }
  }

  static CdcException conflict(SnapshotId id, int wave, @Nullable String other) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot go on with "
            + id
            + " of '"
            + id.appId()
            + "': another backfill, attempt "
            + (other == null ? "unknown" : other)
            + " (Spark application and call), has written its wave "
            + wave
            + ". Nothing of this one's wave was recorded. Let one backfill run at a time; the"
            + " other goes on");
  }

  /** Records a wave once the one before it is. */
  void submit(Progress before, ReadWave wave) {
    await();
    pending = CompletableFuture.runAsync(() -> writer.accept(before, wave), thread);
  }

  /** Waits until all that was submitted is recorded; fails as that did. */
  void await() {
    try {
      pending.join();
    } catch (CompletionException e) {
      pending = CompletableFuture.completedFuture(null);
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Waits for what was submitted, whether it succeeds or not. */
  @Override
  public void close() {
    pending.handle((done, failure) -> done).join();
    thread.shutdown();
  }
}

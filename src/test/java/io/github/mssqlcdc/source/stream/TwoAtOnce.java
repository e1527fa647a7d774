package io.github.mssqlcdc.source.stream;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Lets two processes work in turns: one at a time, and before each of its steps the other may be
 * given the turn. A seed decides, so that what happened can be repeated.
 */
final class TwoAtOnce implements AutoCloseable {
  /** A process that is given the turn rarely is one that everybody thought dead. */
  private static final int MOST_PATIENT = 12;

  private final ExecutorService beside = Executors.newSingleThreadExecutor();

  /**
   * @param one is given what it has to call before each of its steps
   */
  void run(long seed, Consumer<Runnable> one, Consumer<Runnable> other) {
    Turns turns = new Turns(new Random(seed));
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> turns.work(1, other), beside);
    try {
      turns.work(0, one);
    } finally {
      second.join();
    }
  }

  @Override
  public void close() {
    beside.shutdown();
  }

  /** What they have in common is read and written by the one whose turn it is only. */
  private static final class Turns {
    private final Semaphore[] turns = {new Semaphore(1), new Semaphore(0)};
    private final Random random;
    private final int patience;
    private boolean isAlone;

    Turns(Random random) {
      this.random = random;
      this.patience = 1 + random.nextInt(MOST_PATIENT);
    }

    void work(int own, Consumer<Runnable> process) {
      turns[own].acquireUninterruptibly();
      try {
        process.accept(() -> step(own));
      } finally {
        isAlone = true;
        turns[1 - own].release();
      }
    }

    private void step(int own) {
      if (!isAlone && random.nextInt(patience) == 0) {
        turns[1 - own].release();
        turns[own].acquireUninterruptibly();
      }
    }
  }
}

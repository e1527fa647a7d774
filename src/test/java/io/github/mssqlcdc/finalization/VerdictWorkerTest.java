package io.github.mssqlcdc.finalization;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.control.Verdict;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.Granularity;
import io.github.mssqlcdc.testkit.log.CapturedLog;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class VerdictWorkerTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<String> moved = new CopyOnWriteArrayList<>();

  private Verdict move(Verdict verdict) {
    moved.add(verdict.finalizedUntil().toString());
    return verdict;
  }

  private static Offset at(String time) {
    return new Offset(Lsn.parse("0x01"), LocalDateTime.parse("2026-10-01T" + time), null);
  }

  private static void finish(VerdictWorker worker) throws InterruptedException {
    worker.end();
    assertThat(worker.join(SOON)).isTrue();
  }

  @Test
  void aPeriodIsWrittenOnceAndWithoutATimeNothing() throws Exception {
    VerdictWorker worker = new VerdictWorker("t", Granularity.HOUR, this::move);
    worker.start();
    for (Offset end : List.of(Offset.of(Lsn.parse("0x01")), at("13:10"), at("13:40"))) {
      worker.reached(end);
      while (worker.isWaiting()) {
        Thread.onSpinWait();
      }
    }
    worker.reached(at("14:00"));
    finish(worker);
    assertThat(moved).containsExactly("2026-10-01T13:00", "2026-10-01T14:00");
  }

  @Test
  void ofThePositionsThatComeMeanwhileTheNewestCounts() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    VerdictWorker worker =
        new VerdictWorker(
            "t",
            Granularity.MINUTE,
            verdict -> {
              begun.countDown();
              await(go);
              return move(verdict);
            });
    worker.start();
    worker.reached(at("13:10"));
    await(begun);
    worker.reached(at("13:11"));
    worker.reached(at("13:12"));
    go.countDown();
    finish(worker);
    assertThat(moved).containsExactly("2026-10-01T13:10", "2026-10-01T13:12");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Spark throws checked exceptions that nobody declares. */
  @Test
  void whateverKindOfFailureItIsTheNextPositionTriesAgain() throws Exception {
    List<Throwable> failures =
        List.of(new IOException("checked"), new AssertionError("an error"), new LinkageError());
    AtomicInteger calls = new AtomicInteger();
    VerdictWorker worker =
        new VerdictWorker(
            "t",
            Granularity.HOUR,
            verdict -> {
              int call = calls.getAndIncrement();
              if (call < failures.size()) {
                throw VerdictWorkerTest.<RuntimeException>unchecked(failures.get(call));
              }
              return move(verdict);
            });
    try (CapturedLog log = CapturedLog.of(VerdictWorker.class)) {
      worker.start();
      for (int i = 0; i < failures.size(); i++) {
        worker.reached(at("13:1" + i));
        while (worker.failures() <= i) {
          Thread.onSpinWait();
        }
        assertThat(worker.lastError()).contains(failures.get(i));
      }
      worker.reached(at("13:30"));
      finish(worker);
    }
    assertThat(moved).containsExactly("2026-10-01T13:00");
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException unchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void aFailureIsKeptUntilTheNextPositionSucceeds() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    VerdictWorker worker =
        new VerdictWorker(
            "t",
            Granularity.HOUR,
            verdict -> {
              if (calls.incrementAndGet() <= 2) {
                throw new IllegalStateException("attempt " + calls);
              }
              return move(verdict);
            });
    try (CapturedLog log = CapturedLog.of(VerdictWorker.class)) {
      worker.start();
      worker.reached(at("13:10"));
      while (worker.failures() < 1) {
        Thread.onSpinWait();
      }
      assertThat(worker.lastError()).get().asString().contains("attempt 1");
      worker.reached(at("13:20"));
      while (worker.failures() < 2) {
        Thread.onSpinWait();
      }
      worker.reached(at("13:30"));
      finish(worker);
    }
    assertThat(moved).containsExactly("2026-10-01T13:00");
    assertThat(worker.failures()).isZero();
    assertThat(worker.lastError()).isEmpty();
  }
}

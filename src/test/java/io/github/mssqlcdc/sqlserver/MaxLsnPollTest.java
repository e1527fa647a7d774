package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MaxLsnPollTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final MaxLsnPoll poll = new MaxLsnPoll(nanos::get);

  @Test
  void nothingIsKnownBeforeTheFirstRead() {
    assertThat(saysIdle(lsn(1), SECOND)).isFalse();
  }

  @Test
  void aYoungReadingAtOrBelowThePositionSaysIdle() {
    poll.publish(lsn(5), poll.now());
    nanos.addAndGet(SECOND.toNanos() - 1);

    assertThat(poll.ask(lsn(5), SECOND, MaxLsnPoll.Reading::max, () -> lsn(0))).isEqualTo(lsn(5));
    assertThat(saysIdle(lsn(9), SECOND)).isTrue();
    assertThat(saysIdle(lsn(4), SECOND)).isFalse();
  }

  @Test
  void anEmptyMapSaysIdle() {
    poll.publish(null, poll.now());

    assertThat(saysIdle(lsn(1), SECOND)).isTrue();
  }

  @Test
  void anOldReadingSaysNothing() {
    poll.publish(lsn(5), poll.now());
    nanos.addAndGet(SECOND.toNanos());

    assertThat(saysIdle(lsn(5), SECOND)).isFalse();
    assertThat(saysIdle(lsn(5), Duration.ZERO)).isFalse();
  }

  @Test
  void aReadSentEarlierDoesNotReplaceALaterOne() {
    long early = poll.now();
    nanos.addAndGet(5);
    poll.publish(lsn(7), poll.now());
    poll.publish(lsn(6), early);

    assertThat(saysIdle(lsn(6), SECOND)).isFalse();
  }

  @Test
  void ofThreadsThatComeTogetherOneAsksAndTheOthersHearIt() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch isAsking = new CountDownLatch(1);
    CompletableFuture<?> answer = new CompletableFuture<>();
    ExecutorService threads = Executors.newFixedThreadPool(9);
    try {
      List<Future<Lsn>> told = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        told.add(
            threads.submit(
                () ->
                    poll.ask(
                        lsn(5),
                        Duration.ofMinutes(1),
                        MaxLsnPoll.Reading::max,
                        () -> {
                          asked.incrementAndGet();
                          long sentAt = poll.now();
                          isAsking.countDown();
                          answer.join();
                          poll.publish(lsn(4), sentAt);
                          return lsn(4);
                        })));
      }
      isAsking.await();
      answer.complete(null);
      for (Future<Lsn> each : told) {
        assertThat(each.get()).isEqualTo(lsn(4));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void whereSomethingIsNewNobodyWaitsForAnother() throws Exception {
    poll.publish(lsn(9), poll.now());
    CyclicBarrier together = new CyclicBarrier(2);
    Supplier<Integer> server =
        () -> {
          try {
            return together.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
          }
        };
    CompletableFuture<Integer> other =
        CompletableFuture.supplyAsync(() -> poll.ask(lsn(5), SECOND, idle -> -1, server));

    assertThat(poll.ask(lsn(5), SECOND, idle -> -1, server) + other.get()).isEqualTo(1);
  }

  @Test
  void aServerThatAnswersNobodyHoldsUpNobodyForLong() throws Exception {
    CountDownLatch isAsking = new CountDownLatch(1);
    CompletableFuture<?> answer = new CompletableFuture<>();
    CompletableFuture<Integer> held =
        CompletableFuture.supplyAsync(
            () ->
                poll.ask(
                    lsn(5),
                    SECOND,
                    idle -> -1,
                    () -> {
                      isAsking.countDown();
                      answer.join();
                      return 1;
                    }));
    isAsking.await();

    assertThat(poll.ask(lsn(5), Duration.ofMillis(20), idle -> -1, () -> 2)).isEqualTo(2);
    answer.complete(null);
    assertThat(held.get()).isEqualTo(1);
  }

  private boolean saysIdle(Lsn position, Duration interval) {
    return poll.ask(position, interval, idle -> true, () -> false);
  }

  private static Lsn lsn(int number) {
    return new Lsn(0, number);
  }
}

package io.github.mssqlcdc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mssqlcdc.lsn.Lsn;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MaxLsnPollTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final MaxLsnPoll poll = new MaxLsnPoll(nanos::get);

  @Test
  void nothingIsKnownBeforeTheFirstRead() {
    assertThat(poll.idleAt(lsn(1), SECOND)).isNull();
  }

  @Test
  void aYoungReadingAtOrBelowThePositionSaysIdle() {
    poll.publish(lsn(5), poll.now());
    nanos.addAndGet(SECOND.toNanos() - 1);

    assertThat(poll.idleAt(lsn(5), SECOND)).extracting(MaxLsnPoll.Reading::max).isEqualTo(lsn(5));
    assertThat(poll.idleAt(lsn(9), SECOND)).isNotNull();
    assertThat(poll.idleAt(lsn(4), SECOND)).isNull();
  }

  @Test
  void anEmptyMapSaysIdle() {
    poll.publish(null, poll.now());

    assertThat(poll.idleAt(lsn(1), SECOND)).isNotNull();
  }

  @Test
  void anOldReadingSaysNothing() {
    poll.publish(lsn(5), poll.now());
    nanos.addAndGet(SECOND.toNanos());

    assertThat(poll.idleAt(lsn(5), SECOND)).isNull();
    assertThat(poll.idleAt(lsn(5), Duration.ZERO)).isNull();
  }

  @Test
  void aReadSentEarlierDoesNotReplaceALaterOne() {
    long early = poll.now();
    nanos.addAndGet(5);
    poll.publish(lsn(7), poll.now());
    poll.publish(lsn(6), early);

    assertThat(poll.idleAt(lsn(6), SECOND)).isNull();
  }

  private static Lsn lsn(int number) {
    return new Lsn(0, number);
  }
}

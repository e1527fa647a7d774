package io.github.mssqlcdc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.SourceBehindException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RetryTest {
  private final List<Integer> delays = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Retry retry =
      new Retry(
          failure -> failure.getErrorCode() == 1205,
          attempt -> {
            delays.add(attempt);
            return Duration.ZERO;
          });

  @Test
  void aSuccessIsNotRepeated() throws SQLException {
    assertThat(retry.<Integer>call("count", calls::incrementAndGet)).isEqualTo(1);
    assertThat(delays).isEmpty();
  }

  @Test
  void aFailureThatPassesIsRepeatedUntilItHasPassed() throws SQLException {
    String answer =
        retry.call(
            "ask",
            () -> {
              if (calls.incrementAndGet() < 3) {
                throw deadlock();
              }
              return "done";
            });

    assertThat(answer).isEqualTo("done");
    assertThat(delays).containsExactly(1, 2);
  }

  @Test
  void afterThreeRetriesTheFailureIsRaised() {
    assertThatThrownBy(
            () ->
                retry.call(
                    "ask",
                    () -> {
                      calls.incrementAndGet();
                      throw deadlock();
                    }))
        .isInstanceOf(SQLException.class)
        .hasMessage("deadlock");
    assertThat(calls).hasValue(4);
    assertThat(delays).startsWith(1, 2, 3);
  }

  @Test
  void aFailureThatStaysIsRaisedAtOnce() {
    assertThatThrownBy(
            () ->
                retry.call(
                    "ask",
                    () -> {
                      calls.incrementAndGet();
                      throw new SQLException("no such column", "S0001", 207);
                    }))
        .hasMessage("no such column");
    assertThat(calls).hasValue(1);
  }

  @Test
  void ourOwnExceptionsAreAnswers() {
    assertThatThrownBy(
            () ->
                retry.call(
                    "ask",
                    () -> {
                      calls.incrementAndGet();
                      throw new DataLossException("state 08S01", deadlock());
                    }))
        .isInstanceOf(DataLossException.class);
    assertThat(calls).hasValue(1);
  }

  @Test
  void aServerThatLagsBehindIsAskedAgain() {
    assertThatThrownBy(
            () ->
                retry.call(
                    "ask",
                    () -> {
                      calls.incrementAndGet();
                      throw new SourceBehindException("max LSN is 5");
                    }))
        .isInstanceOf(SourceBehindException.class)
        .hasMessage("max LSN is 5");
    assertThat(calls).hasValue(4);
  }

  @Test
  void delaysDouble() {
    for (int retry = 1; retry <= 3; retry++) {
      Duration least = Duration.ofSeconds(1L << (retry - 1));
      assertThat(Retry.doublingDelay(retry)).isBetween(least, least.multipliedBy(2));
    }
  }

  private static SQLException deadlock() {
    return new SQLException("deadlock", "40001", 1205);
  }
}

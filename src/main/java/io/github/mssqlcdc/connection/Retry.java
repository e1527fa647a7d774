package io.github.mssqlcdc.connection;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.github.mssqlcdc.error.SourceBehindException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a call that failed for a reason that passes: by the error, or because the server lags
 * behind. Our other exceptions are answers, not failures. Thread-safe.
 */
public final class Retry {
  private static final Logger LOG = LoggerFactory.getLogger(Retry.class);
  private static final int MAX_RETRIES = 3;

  private final Predicate<SQLException> passing;
  private final IntFunction<Duration> delay;

  /** A call on the database, on a connection of its own each time. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws SQLException;
  }

  /**
   * @param passing whether a failure is likely to pass
   * @param delay how long to wait before the n-th retry, counted from 1
   */
  public Retry(Predicate<SQLException> passing, IntFunction<Duration> delay) {
    this.passing = passing;
    this.delay = delay;
  }

  /** Waits 1 to 2, 2 to 4, then 4 to 8 seconds. */
  public static Duration doublingDelay(int retry) {
    long least = 1_000L << (retry - 1);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(least, 2 * least));
  }

  /**
   * @param purpose what the call does, as it reads after "Failed to"
   * @throws SQLException the last failure
   * @throws java.io.UncheckedIOException if the thread is interrupted meanwhile
   */
  public <T> T call(String purpose, Call<T> call) throws SQLException {
    RetryPolicy<T> policy =
        RetryPolicy.<T>builder()
            .handleIf(this::mayPass)
            .withMaxRetries(MAX_RETRIES)
            .withDelayFn(context -> delay.apply(context.getAttemptCount()))
            .onRetryScheduled(
                event -> {
                  Throwable failure = Objects.requireNonNull(event.getLastException());
                  LOG.warn(
                      "Retry {} of {} in {} ms: failed to {}{}: {}",
                      event.getAttemptCount(),
                      MAX_RETRIES,
                      event.getDelay().toMillis(),
                      purpose,
                      number(failure),
                      failure.getMessage());
                })
            .build();
    try {
      return Failsafe.with(policy).get(call::run);
    } catch (FailsafeException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      if (e.getCause() instanceof InterruptedException interrupt) {
        throw Interruption.of(purpose, interrupt);
      }
      throw e;
    }
  }

  /** Whether a failure is likely to pass, so that a call would be repeated after it. */
  public boolean mayPass(Throwable failure) {
    boolean passes =
        failure instanceof SourceBehindException
            || failure instanceof SQLException e && passing.test(e);
    return passes && !Thread.currentThread().isInterrupted();
  }

  private static String number(Throwable failure) {
    return failure instanceof SQLException e
        ? " (error " + e.getErrorCode() + ", state " + e.getSQLState() + ")"
        : "";
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.metric.BackfillState;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the stream is far enough from the end of CDC's retention to share its link with chunks: a
 * stream that falls behind it loses the snapshot, too.
 */
final class Headroom {
  private static final double SECONDS_PER_HOUR = 3600;

  private Headroom() {}

  /**
   * Why no wave is read now; empty if one may be.
   *
   * @param hours what the stream's newest batch has told; null: nothing
   */
  static Optional<Wait> verdict(Duration least, @Nullable Double hours) {
    double wanted = least.toSeconds() / SECONDS_PER_HOUR;
    if (hours == null) {
      return Optional.of(
          new Wait(
              BackfillState.WAITING_METRICS,
              "The stream's newest batch tells no retention headroom, or there is none yet; at least "
                  + text(wanted)
                  + " h are wanted. See that the stream runs, with this facts table"));
    }
    return hours >= wanted
        ? Optional.empty()
        : Optional.of(
            new Wait(
                BackfillState.WAITING_HEADROOM,
                "The stream's retention headroom is "
                    + text(hours)
                    + " h, at least "
                    + text(wanted)
                    + " h are wanted. The stream has to catch up first"));
  }

  private static String text(double hours) {
    return String.format(Locale.ROOT, "%.2f", hours);
  }

  /** Why a backfill waits. */
  record Wait(BackfillState state, String reason) {}
}

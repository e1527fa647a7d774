package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.metric.BackfillState;
import io.github.mssqlcdc.metric.BackfillStatus;
import io.github.mssqlcdc.plans.Progress;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a call tells of a backfill. */
final class BackfillProgress {
  private final Clock clock;
  private final Instant begun;
  private @Nullable Lsn snapshot;
  private @Nullable Integer total;

  BackfillProgress(Clock clock) {
    this.clock = clock;
    this.begun = clock.instant();
  }

  void found(SnapshotOpen open) {
    snapshot = open.position().lsn();
  }

  void planned(SnapshotOpen open, int chunks) {
    found(open);
    total = chunks;
  }

  Duration elapsed() {
    return Duration.between(begun, clock.instant());
  }

  /** Not below zero. */
  Duration left(Duration limit) {
    Duration left = limit.minus(elapsed());
    return left.isNegative() ? Duration.ZERO : left;
  }

  BackfillStatus none(String reason) {
    return status(BackfillState.NO_SNAPSHOT, Progress.NONE, reason);
  }

  BackfillStatus complete(SnapshotOpen open, SnapshotEnd end) {
    return new BackfillStatus(
        BackfillState.DONE,
        open.position().lsn(),
        end.chunks(),
        end.chunks(),
        Objects.requireNonNullElse(end.rows(), 0L),
        Objects.requireNonNullElse(end.bytes(), 0L),
        elapsed(),
        Duration.ZERO,
        null);
  }

  BackfillStatus status(BackfillState state, Progress done, @Nullable String reason) {
    return new BackfillStatus(
        state,
        snapshot,
        done.chunks(),
        total,
        done.rows(),
        done.bytes(),
        elapsed(),
        remaining(done),
        reason);
  }

  private @Nullable Duration remaining(Progress done) {
    Long ms = done.waveMs();
    if (done.isComplete()) {
      return Duration.ZERO;
    }
    return total == null || ms == null || done.waveChunks() == 0
        ? null
        : Duration.ofMillis((long) ((double) ms * (total - done.chunks()) / done.waveChunks()));
  }
}

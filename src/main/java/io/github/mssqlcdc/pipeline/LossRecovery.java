package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.WholeSnapshot;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.HistoryChangedException;
import io.github.mssqlcdc.metric.LossKind;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.Generation;
import io.github.mssqlcdc.snapshot.LostChanges;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.source.stream.LossCheck.Loss;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a stream that has lost changes on to its next generation, which begins with a new snapshot.
 * The facts decide which generation that is, whoever else does the same.
 *
 * @param interval how long after the last attempt the next one may be made
 */
record LossRecovery(
    Source source, SnapshotEvents events, StreamSnapshots snapshots, Duration interval) {
  private static final Logger LOG = LoggerFactory.getLogger(LossRecovery.class);

  /**
   * The generation to go on with.
   *
   * @param live the one that the stream is in
   * @param position up to where it has read
   * @param planned end of the batch that it will go on with; empty if it hasn't planned any
   * @throws DataLossException if changes are lost and the last attempt is too recent, or cleanup
   *     overtook the new snapshot
   */
  Generation run(Generation live, Offset position, Optional<Offset> planned) {
    Optional<Loss> lost = source.lostAfter(position).or(() -> restored(position, planned));
    if (lost.isEmpty()) {
      return live;
    }
    Loss loss = lost.get();
    Purpose purpose =
        Purpose.resnapshot(
            live.number() + 1, new LostChanges(loss.kind().text(), position.commitTs(), loss.to()));
    WholeSnapshot whole = source.snapshotInto(snapshots.bronze(), snapshots.clock());
    int written =
        snapshots
            .bronze()
            .batches()
            .historyOf(live.sinkId(snapshots.appId()))
            .orElse(live.history());
    Optional<HeldSnapshot> held = whole.usable().filter(found -> isAfter(found, loss, written));
    if (held.isPresent()) {
      HeldSnapshot found = held.get();
      warn(loss, purpose, "the snapshot that is there at " + found.stamp().lsn());
      Integer open =
          events
              .state()
              .current()
              .filter(one -> !one.isChunked())
              .map(SnapshotOpen::number)
              .orElse(null);
      events.completed(purpose, open, found.stamp(), found.history(), null, null);
    } else {
      requireInterval(loss);
      warn(loss, purpose, "a new " + snapshots.mode().text() + " snapshot");
      snapshots.anew(source, events, purpose, history(whole, loss, written));
    }
    return events.generation();
  }

  /**
   * What a snapshot has read, or the end of a batch that Spark will replay, may be of a past that
   * is gone, though the stream isn't there yet.
   */
  private Optional<Loss> restored(Offset position, Optional<Offset> planned) {
    try {
      planned.ifPresent(source::requireSamePast);
      source.past(snapshots.bronze()).requireSame(events);
      return Optional.empty();
    } catch (HistoryChangedException e) {
      return Optional.of(
          new Loss(LossKind.RESTORED, position, null, String.valueOf(e.getMessage())));
    }
  }

  private void warn(Loss loss, Purpose purpose, String snapshot) {
    LOG.warn(
        "{}: changes after {} are lost ({}): {}. Going on with {} as generation {}, '{}'",
        snapshots.appId(),
        loss.position().lsn(),
        loss.kind().text(),
        loss.what(),
        snapshot,
        purpose.generation(),
        purpose.sinkId(snapshots.appId()));
  }

  /** Of the history that a restore has ended, no snapshot comes after the loss. */
  private static boolean isAfter(HeldSnapshot held, Loss loss, int written) {
    return held.history() > written
        || loss.kind() != LossKind.RESTORED
            && held.history() == written
            && held.stamp().lsn().isAfter(loss.position().lsn());
  }

  /** Rows of the past that is gone are outranked, though bronze itself may hold none of it. */
  private int history(WholeSnapshot whole, Loss loss, int written) {
    int history = whole.history(events);
    return loss.kind() == LossKind.RESTORED ? Math.max(history, written + 1) : history;
  }

  private void requireInterval(Loss loss) {
    Optional<LocalDateTime> last = events.state().lastAttempt();
    LocalDateTime now = LocalDateTime.now(snapshots.clock());
    if (last.filter(attempt -> Duration.between(attempt, now).compareTo(interval) < 0)
        .isPresent()) {
      throw new DataLossException(
          "Cannot go on with '"
              + snapshots.appId()
              + "' after "
              + loss.position().lsn()
              + ": its next changes are lost ("
              + loss.kind().text()
              + "), and the last re-snapshot was begun at "
              + last.get()
              + "Z, within resnapshotInterval "
              + interval
              + ". Nothing was read. Find out why changes are lost again, or why the last attempt"
              + " failed, and set resnapshotInterval(Duration.ZERO) to take another one now",
          null);
    }
  }
}

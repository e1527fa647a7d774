package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.SourcePast;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills columns that came with a newer capture instance: a snapshot has what was written to them
 * before any instance captured them. The facts decide whether one is due, so a run that died is
 * made good by the next; the stream itself goes on where it is.
 *
 * @param sources looks at the source anew: its instances have changed
 */
record SwitchSnapshot(Supplier<Source> sources, SnapshotEvents events, StreamSnapshots snapshots) {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchSnapshot.class);

  /**
   * Takes the snapshot, or opens it, if one is due. One that was taken may reach further than the
   * stream: where the database was restored to in between, its rows never were.
   *
   * @param source as the start has reached it
   */
  void atStart(Source source) {
    source.past(snapshots.bronze()).requireSame(events);
    run();
  }

  /**
   * Takes the snapshot, or opens it, if one is due.
   *
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a snapshot of the
   *     other mode is open
   * @throws io.github.mssqlcdc.error.HistoryChangedException if the source has another past now
   * @throws io.github.mssqlcdc.error.DataLossException if CDC cleanup overtook it
   */
  void run() {
    SnapshotState state = events.state();
    Optional<Lsn> from = state.unfilled();
    if (from.isEmpty()) {
      return;
    }
    Source source = sources.get();
    SourcePast past = source.past(snapshots.bronze());
    past.requireSame(events);
    int history = past.known(events);
    Purpose purpose = Purpose.ofSwitch(state.generation().number());
    Optional<HeldSnapshot> held =
        source
            .snapshotInto(snapshots.bronze(), snapshots.clock())
            .usable()
            .filter(found -> found.history() == history)
            .filter(found -> !found.stamp().lsn().isBefore(from.get()));
    if (held.isPresent()) {
      found(state, purpose, held.get());
      return;
    }
    LOG.info(
        "{}: a {} snapshot fills the columns that came with the capture instance of {}",
        snapshots.appId(),
        snapshots.mode().text(),
        from.get());
    snapshots.anew(source, events, purpose, history);
  }

  /** One that a run took which died before it told the facts, or that was taken by hand. */
  private void found(SnapshotState state, Purpose purpose, HeldSnapshot held) {
    LOG.info(
        "{}: the snapshot that is there at {} fills them", snapshots.appId(), held.stamp().lsn());
    SnapshotOpen open =
        state
            .current()
            .filter(one -> !one.isChunked() && one.purpose().isForSwitch())
            .orElseGet(() -> events.openFull(state, purpose, held.stamp(), held.history()));
    events.completed(purpose, open.number(), held.stamp(), held.history(), null, null);
  }
}

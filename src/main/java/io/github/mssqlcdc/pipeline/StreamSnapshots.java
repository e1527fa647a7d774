package io.github.mssqlcdc.pipeline;

import io.github.mssqlcdc.backfill.ChunkedOpen;
import io.github.mssqlcdc.backfill.StreamBegin;
import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * How a stream's snapshots come about, whatever they are for: read as a whole, or only opened, for
 * a backfill to read.
 *
 * @param plans where a chunked one is kept
 * @param clock in UTC
 */
record StreamSnapshots(
    BronzeTable bronze, TargetPlans plans, String appId, SnapshotMode mode, Clock clock) {

  /**
   * The snapshot that a stream goes on from: the one that is there, or else a new one.
   *
   * @param events null: there are no facts, and the mode is FULL
   * @param begin what one found must not be older than
   * @return S
   */
  Offset found(Source source, @Nullable SnapshotEvents events, StreamBegin begin) {
    return mode == SnapshotMode.FULL || events == null
        ? source.snapshotInto(bronze, clock).run(events, begin)
        : chunked(source).run(events, begin);
  }

  /** A new one, though there may be others, unless another run has taken it for this purpose. */
  void anew(Source source, SnapshotEvents events, Purpose purpose, int history) {
    if (mode == SnapshotMode.FULL) {
      var unused = source.snapshotInto(bronze, clock).takeAnew(events, purpose, history);
    } else {
      chunked(source).openAnew(events, purpose, history);
    }
  }

  private ChunkedOpen chunked(Source source) {
    plans.requirePlace();
    return new ChunkedOpen(source.chunks(clock), bronze, plans::open, appId);
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotEnd.How;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of the snapshots that facts and target tell of counts for a stream: one of its source
 * table, in its target, not from before its changes begin. A full stream needs all of it, a chunked
 * one goes on beside what is open.
 */
record HeldSnapshots(SqlServer server, CaptureInstance instance, BronzeTable bronze) {
  private static final Logger LOG = LoggerFactory.getLogger(HeldSnapshots.class);

  /**
   * @throws CdcException CONFLICTING_WRITER if the stream's chunked snapshot is in another target,
   *     or of another table
   */
  void requireOwn(SnapshotState state) {
    state
        .chunked()
        .ifPresent(
            open -> {
              if (!isHere(state, open)) {
                throw elsewhere(state, open);
              }
              if (isOfAnother(open, server, instance)) {
                throw conflict(
                    open,
                    "it is of capture instance '"
                        + open.captureInstance()
                        + "', and '"
                        + instance.name()
                        + "' is of another table. Give each source table a target, an appId and a"
                        + " checkpoint of its own");
              }
            });
  }

  static boolean isOfAnother(SnapshotOpen open, SqlServer server, CaptureInstance instance) {
    String own = open.captureInstance();
    return own != null && server.isInstanceOfAnother(own, instance);
  }

  /** Whether a snapshot is in this very target; of a complete one its table's id tells. */
  boolean isHere(SnapshotState state, SnapshotOpen open) {
    return completedIn(state, open)
        .map(id -> id.equals(bronze.id()))
        .orElseGet(() -> bronze.isCalled(open.target()));
  }

  private static Optional<String> completedIn(SnapshotState state, SnapshotOpen open) {
    return state.end(open).filter(end -> end.how() == How.COMPLETE).map(SnapshotEnd::targetId);
  }

  private CdcException elsewhere(SnapshotState state, SnapshotOpen open) {
    if (bronze.isCalled(open.target())) {
      return conflict(
          open,
          "the facts say that it is complete, but the table that held it was dropped or made anew"
              + " since. Start with a new appId and checkpoint, and an empty target");
    }
    return conflict(
        open,
        "this stream writes to '"
            + bronze.name()
            + "'. Give each target an appId and a checkpoint of its own"
            + (state.end(open).isPresent()
                ? ""
                : "; or, if the table was renamed, give the snapshot up with abandonSnapshot(\""
                    + open.target()
                    + "\"), and start again"));
  }

  private static CdcException conflict(SnapshotOpen open, String why) {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot go on from " + open.description() + " of '" + open.target() + "': " + why);
  }

  /** The chunked one that the stream has opened, complete or not. */
  Optional<SnapshotOpen> chunked(SnapshotState state, StreamBegin begin) {
    return state
        .chunked()
        .filter(open -> isHere(state, open))
        .filter(open -> covers(begin, open.position().lsn(), open.history()))
        .filter(open -> isWhereItWas(state, open));
  }

  /** Rows of a complete one may have been deleted. */
  private boolean isWhereItWas(SnapshotState state, SnapshotOpen open) {
    return state
        .end(open)
        .filter(end -> !end.isOfNoRows())
        .map(end -> bronze.hasSnapshot(open.position().lsn(), open.history()))
        .orElse(true);
  }

  /** A complete one, chunked or whole; while a chunked one is open there is none to ask for. */
  Optional<HeldSnapshot> complete(SnapshotState state, StreamBegin begin) {
    return chunked(state, begin)
        .filter(open -> state.end(open).isPresent())
        .map(open -> new HeldSnapshot(open.position(), open.history(), null, true, true))
        .or(() -> inTarget(state, begin, held -> held.isComplete() && !isGivenUp(held, state)));
  }

  /** One that was taken, or seeded, as a whole. */
  Optional<HeldSnapshot> whole(SnapshotState state, StreamBegin begin) {
    return inTarget(state, begin, held -> !held.isChunked());
  }

  private Optional<HeldSnapshot> inTarget(
      SnapshotState state, StreamBegin begin, Predicate<HeldSnapshot> counts) {
    return bronze
        .heldSnapshot(
            this::isOfTable,
            held -> counts.test(held) && covers(begin, held.stamp().lsn(), held.history()))
        .or(() -> ofNoRows(state, begin));
  }

  /** An empty table leaves no rows, and Delta's log drops its commit in time: the facts tell. */
  private Optional<HeldSnapshot> ofNoRows(SnapshotState state, StreamBegin begin) {
    return state
        .newest()
        .filter(open -> !open.isChunked() && bronze.isCalled(open.target()))
        .filter(open -> state.end(open).filter(SnapshotEnd::isOfNoRows).isPresent())
        .filter(open -> bronze.id() != null)
        .filter(open -> covers(begin, open.position().lsn(), open.history()))
        .map(open -> new HeldSnapshot(open.position(), open.history(), 0L, false, true));
  }

  /** One that is left out for this is warned of, as nothing else tells why it doesn't count. */
  private boolean covers(StreamBegin begin, Lsn snapshot, int history) {
    boolean covers = begin.isAtOrBefore(snapshot, history);
    if (!covers && history == begin.history()) {
      LOG.warn(
          "{}: the snapshot at {} in {} doesn't count: the stream has read changes from {} on only",
          instance.name(),
          snapshot,
          bronze.name(),
          begin.lsn());
    }
    return covers;
  }

  private static boolean isGivenUp(HeldSnapshot held, SnapshotState state) {
    return held.isChunked() && state.isAbandoned(held.stamp().lsn());
  }

  /** An earlier instance of the table may have been disabled: the target is of one table only. */
  boolean isOfTable(String name) {
    return !server.isInstanceOfAnother(name, instance);
  }
}

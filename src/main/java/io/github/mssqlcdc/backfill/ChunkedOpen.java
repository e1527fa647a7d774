package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.error.CdcException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.options.SnapshotMode;
import io.github.mssqlcdc.plans.Extent;
import io.github.mssqlcdc.plans.PlansTable;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a chunked snapshot, or finds the one that is there: S, then the extent of the key into the
 * plans table, then the open into the facts. Delta's transaction ids decide between two that open
 * at the same time. Of the table nothing but the extent is read.
 */
public final class ChunkedOpen {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkedOpen.class);
  private static final int ATTEMPTS = 5;
  private static final String OPEN = "open a chunked snapshot of";

  private final SqlServer server;
  private final CaptureInstance instance;
  private final BronzeTable bronze;
  private final Supplier<PlansTable> plans;
  private final ChunkPlan plan;
  private final SourcePast past;
  private final HeldSnapshots held;
  private final String appId;
  private final Clock clock;

  /**
   * @param plans opened when a snapshot has to be
   */
  public ChunkedOpen(
      BackfillSource source, BronzeTable bronze, Supplier<PlansTable> plans, String appId) {
    this.server = source.server();
    this.instance = source.instance();
    this.bronze = bronze;
    this.plans = plans;
    this.plan = source.plan();
    this.past = new SourcePast(bronze, source.history());
    this.held = new HeldSnapshots(server, instance, bronze);
    this.appId = appId;
    this.clock = source.clock();
  }

  /**
   * @param begin what one found must not be older than
   * @return S: where the stream starts
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a full snapshot is
   *     open
   * @throws CdcException CONFLICTING_WRITER if the stream's snapshot is in another target
   */
  public Offset run(SnapshotEvents events, StreamBegin begin) {
    SnapshotState state = events.state();
    held.requireOwn(state);
    new ModeLock(state).requireNoFull(OPEN, server.minLsn(instance));
    Optional<SnapshotOpen> there = held.chunked(state, begin);
    if (there.isPresent()) {
      LOG.info("{}: goes on from {}", instance.name(), there.get().description());
      return there.get().position();
    }
    OptionalInt forgotten = events.forgotten(state);
    if (forgotten.isPresent()) {
      throw forgotten(forgotten.getAsInt());
    }
    Purpose purpose = state.purposeIn(begin.generation());
    Optional<HeldSnapshot> whole = held.whole(state, begin);
    return whole.isPresent()
        ? found(events, state, purpose, whole.get())
        : open(events, state, purpose, Math.max(begin.history(), past.history(events)));
  }

  /**
   * Opens a new one, though there may be others, unless another run has for the same purpose.
   *
   * @param history history of the source that it belongs to
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a full snapshot is
   *     open
   */
  public void openAnew(SnapshotEvents events, Purpose purpose, int history) {
    SnapshotState state = events.state();
    if (state.lacks(purpose)) {
      new ModeLock(state).requireNoFull(OPEN, server.minLsn(instance));
      var unused = open(events, state, purpose, history);
    }
  }

  private Offset found(
      SnapshotEvents events, SnapshotState state, Purpose purpose, HeldSnapshot whole) {
    WholeSnapshot.tell(events, state, purpose, whole);
    LOG.info(
        "{}: {} holds a full snapshot at {}", instance.name(), bronze.name(), whole.stamp().lsn());
    return whole.stamp();
  }

  private Offset open(SnapshotEvents events, SnapshotState state, Purpose purpose, int history) {
    Extent extent = extent(plans.get(), events, state, history);
    SnapshotOpen open =
        new SnapshotOpen(
            extent.open(),
            SnapshotMode.CHUNKED,
            purpose,
            extent.position(),
            extent.history(),
            extent.keys(),
            bronze.name(),
            LocalDateTime.now(clock),
            instance.name());
    if (events.openChunked(open)) {
      LOG.info(
          "{}: opened {} of {}, about {} rows, cut on {}. Call backfill to read it",
          instance.name(),
          open.description(),
          bronze.name(),
          extent.rows() == null ? "an unknown number of" : extent.rows(),
          extent.keys().isEmpty() ? "nothing" : extent.keys());
      return open.position();
    }
    return events.state().chunked().map(SnapshotOpen::position).orElseThrow(this::overtaken);
  }

  /**
   * What the plans table keeps of the next open. One that was kept by a run that died before it
   * told the facts, or that another run has kept just now, is taken over.
   */
  private Extent extent(PlansTable table, SnapshotEvents events, SnapshotState state, int history) {
    Lsn least = state.unfilled().orElse(Lsn.ZERO);
    int number = events.nextNumber(state);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      OptionalInt kept = table.newestOpen(appId);
      if (kept.isPresent() && kept.getAsInt() >= number) {
        Optional<Extent> extent =
            table
                .extent(appId, kept.getAsInt())
                .filter(there -> isUsable(there, history))
                .filter(there -> !there.position().lsn().isBefore(least));
        if (extent.isPresent()) {
          return extent.get();
        }
        number = kept.getAsInt() + 1;
      }
      Extent extent = taken(events, number, history);
      if (table.append(appId, extent)) {
        return extent;
      }
    }
    throw overtaken();
  }

  private Extent taken(SnapshotEvents events, int number, int history) {
    SnapshotStamp taken = server.snapshotStamp(instance);
    Offset position = new SnapshotTimes(server, bronze, events).of(taken);
    return plan.extent(number, position, history, taken.maxLsn());
  }

  /** The changes after its S must still be there, and the same columns be cut on. */
  private boolean isUsable(Extent extent, int history) {
    Lsn minLsn = server.minLsn(instance);
    return extent.keys().equals(plan.keys())
        && extent.history() == history
        && minLsn != null
        && !minLsn.isAfter(extent.position().lsn().next())
        && past.isSameAt(extent.position());
  }

  private InvalidRequestException forgotten(int open) {
    return new InvalidRequestException(
        ErrorCode.INVALID_TARGET,
        "Cannot go on with the chunked snapshot of '"
            + bronze.name()
            + "' for '"
            + appId
            + "': the facts were told of its open "
            + open
            + ", but the row is gone. Rows of events say what a snapshot is at, and may not be"
            + " deleted. Restore the facts to a version that has it (RESTORE TABLE … TO VERSION AS"
            + " OF …); or give the snapshot up with abandonSnapshot, and the next start opens"
            + " another, which reads the table anew");
  }

  private CdcException overtaken() {
    return new CdcException(
        ErrorCode.CONFLICTING_WRITER,
        "Cannot open a chunked snapshot of '"
            + bronze.name()
            + "' for '"
            + appId
            + "': other runs open or give up snapshots of it at the same time. Let one run at a"
            + " time, and start again");
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.bronze.WholeRows;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshot of a whole table in bronze: the one that is there, or else one taken now. It is
 * stamped with an LSN recorded before the read; a commit that the read saw though it is later comes
 * again as a change, and sorts after the snapshot's row.
 */
public final class WholeSnapshot {
  private static final Logger LOG = LoggerFactory.getLogger(WholeSnapshot.class);
  private static final String TAKE = "take a full snapshot of";

  private final SqlServer server;
  private final CaptureInstance instance;
  private final BronzeTable bronze;
  private final SnapshotRows rows;
  private final SourcePast past;
  private final HeldSnapshots held;
  private final Clock clock;

  /** Reads the current rows of the source table as {@code mssql_cdc_snapshot} gives them. */
  public interface SnapshotRows {
    /**
     * @param stamp what the rows are stamped with
     * @param maxLsn max LSN as read with the stamp; null when the map was empty
     */
    Dataset<Row> read(Offset stamp, @Nullable Lsn maxLsn);
  }

  /**
   * @param check given a position; throws {@link io.github.mssqlcdc.error.HistoryChangedException}
   *     if the source has another past there
   */
  public WholeSnapshot(
      SqlServer server,
      CaptureInstance instance,
      BronzeTable bronze,
      SnapshotRows rows,
      Consumer<Offset> check,
      Clock clock) {
    this.past = new SourcePast(bronze, check);
    this.held = new HeldSnapshots(server, instance, bronze);
    this.server = server;
    this.instance = instance;
    this.bronze = bronze;
    this.rows = rows;
    this.clock = clock;
  }

  /**
   * Finds the snapshot, a complete chunked one among them, or takes it.
   *
   * @param events where it is told of; null: nowhere
   * @param begin what one found must not be older than
   * @return its position
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a chunked snapshot is
   *     open
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if another run opened a
   *     snapshot meanwhile, or the stream's chunked one is in another target
   * @throws DataLossException if CDC cleanup went past the snapshot while it was read
   */
  public Offset run(@Nullable SnapshotEvents events, StreamBegin begin) {
    SnapshotState state = state(events);
    held.requireOwn(state);
    new ModeLock(state).requireNoChunked(TAKE);
    return run(events, state, begin);
  }

  /**
   * The same without a stream, and nobody is told of it.
   *
   * @param told what the facts tell of the target's snapshots, and of other targets'
   */
  public Offset alone(SnapshotState told) {
    requireNoChunked(told);
    return run(null, told, StreamBegin.ANYWHERE);
  }

  /** The same, always taken anew. */
  public Offset aloneAnew(SnapshotState told) {
    requireNoChunked(told);
    return takeAnew(null, Purpose.BOOTSTRAP, history(null)).orElseThrow();
  }

  private void requireNoChunked(SnapshotState told) {
    if (told.chunked().filter(open -> held.isHere(told, open)).isPresent()) {
      new ModeLock(told).requireNoChunked(TAKE);
    }
  }

  private Offset run(@Nullable SnapshotEvents events, SnapshotState state, StreamBegin begin) {
    long number = bronze.nextWhole();
    Purpose purpose = state.purposeIn(begin.generation());
    Optional<HeldSnapshot> there = held.complete(state, begin);
    if (there.isEmpty()) {
      int history = Math.max(begin.history(), past.history(events));
      return take(events, state, purpose, history, number);
    }
    HeldSnapshot found = there.get();
    if (events != null && !found.isChunked()) {
      tell(events, state, purpose, found);
    }
    LOG.info("{}: {} holds its snapshot at {}", name(), bronze.name(), found.stamp().lsn());
    return found.stamp();
  }

  /** A run may have died before it told of the snapshot, or it was taken by hand. */
  static void tell(SnapshotEvents events, SnapshotState state, Purpose purpose, HeldSnapshot held) {
    Integer open =
        state
            .current()
            .filter(one -> !one.isChunked() && one.purpose().equals(purpose))
            .map(SnapshotOpen::number)
            .orElse(null);
    if (open != null || !events.isComplete(purpose.generation())) {
      events.completed(purpose, open, held.stamp(), held.history(), held.rows(), null);
    }
  }

  /**
   * Takes a new one, though there may be others, unless another run has for the same purpose.
   *
   * @param events where it is told of; null: nowhere
   * @param history history of the source that it belongs to
   * @return its position; empty if none was taken
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a chunked snapshot is
   *     open
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if another run opened a
   *     snapshot meanwhile
   * @throws DataLossException if CDC cleanup went past the snapshot while it was read
   */
  public Optional<Offset> takeAnew(@Nullable SnapshotEvents events, Purpose purpose, int history) {
    long number = bronze.nextWhole();
    SnapshotState state = state(events);
    if (!state.lacks(purpose)) {
      return Optional.empty();
    }
    new ModeLock(state).requireNoChunked(TAKE);
    return Optional.of(take(events, state, purpose, history, number));
  }

  /** The history of the source that a snapshot taken now belongs to. */
  public int history(@Nullable SnapshotEvents events) {
    return past.history(events);
  }

  /**
   * The newest whole snapshot in bronze, if a stream can go on from it: nothing after it has been
   * purged, and the source's past is still the one it was taken in.
   */
  public Optional<HeldSnapshot> usable() {
    Lsn minLsn = server.minLsn(instance);
    return bronze
        .heldSnapshot(held::isOfTable, one -> !one.isChunked())
        .filter(one -> minLsn != null && !minLsn.isAfter(one.stamp().lsn().next()))
        .filter(one -> past.isSameAt(one.stamp()));
  }

  private static SnapshotState state(@Nullable SnapshotEvents events) {
    return events == null ? SnapshotState.UNKNOWN : events.state();
  }

  private Offset take(
      @Nullable SnapshotEvents events,
      SnapshotState state,
      Purpose purpose,
      int history,
      long number) {
    LocalDateTime startedAt = LocalDateTime.now(clock);
    SnapshotStamp taken = server.snapshotStamp(instance);
    Offset stamp = new SnapshotTimes(server, bronze, events).of(taken);
    SnapshotOpen open = events == null ? null : events.openFull(state, purpose, stamp, history);
    requireOwn(events, open);
    LOG.info("{}: taking a snapshot at {} into {}", name(), stamp.lsn(), bronze.name());
    long count =
        bronze.append(
            rows.read(stamp, taken.maxLsn()),
            WholeRows.ofTable(
                instance.name(),
                stamp,
                history,
                number,
                () -> {
                  requireOwn(events, open);
                  requireRetained(stamp.lsn());
                  return SnapshotTimes.seen(server);
                }));
    LOG.info(
        "{}: snapshot at {} into {}: {} rows in {} s",
        name(),
        stamp.lsn(),
        bronze.name(),
        count,
        Duration.between(startedAt, LocalDateTime.now(clock)).toMillis() / 1e3);
    if (events != null && open != null) {
      events.completed(purpose, open.number(), stamp, history, count, startedAt);
    }
    return stamp;
  }

  /** Another run may have taken over: one that found this one dead, or that was quicker. */
  private static void requireOwn(@Nullable SnapshotEvents events, @Nullable SnapshotOpen open) {
    if (events != null && open != null) {
      new ModeLock(events.state()).requireOwn(open);
    }
  }

  /** The first change after the snapshot must still be there when the stream starts. */
  private void requireRetained(Lsn stamp) {
    Lsn minLsn = server.minLsn(instance);
    if (minLsn != null && minLsn.isAfter(stamp.next())) {
      throw new DataLossException(
          "Cannot use the snapshot of '"
              + name()
              + "' at "
              + stamp
              + ": CDC cleanup went on to min LSN "
              + minLsn
              + " while it was read, so changes after it are lost. No row was written. Take it"
              + " with SnapshotMode.CHUNKED, which has no such limit; or again, with a longer"
              + " retention (sys.sp_cdc_change_job) or more partitions");
    }
  }

  private String name() {
    return instance.name();
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.bronze.WholeRows;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.ModeLock;
import io.github.mssqlcdc.snapshot.Purpose;
import io.github.mssqlcdc.snapshot.SnapshotEnd;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.snapshot.SnapshotOpen;
import io.github.mssqlcdc.snapshot.SnapshotState;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
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

  private final SqlServer server;
  private final CaptureInstance instance;
  private final BronzeTable bronze;
  private final SnapshotRows rows;
  private final SourcePast past;
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
   * @param leastHistory history of the source that one found must belong to, or a later one
   * @return its position
   * @throws io.github.mssqlcdc.error.InvalidRequestException SNAPSHOT_OPEN if a chunked snapshot is
   *     open
   * @throws io.github.mssqlcdc.error.CdcException CONFLICTING_WRITER if another run opened a
   *     snapshot meanwhile
   * @throws DataLossException if CDC cleanup went past the snapshot while it was read
   */
  public Offset run(@Nullable SnapshotEvents events, int leastHistory) {
    long number = bronze.nextWhole();
    SnapshotState state = state(events);
    new ModeLock(state, null).requireNoChunked("take a full snapshot of");
    Optional<SnapshotOpen> chunked = state.chunked().filter(open -> open.history() >= leastHistory);
    if (chunked.isPresent()) {
      return found(chunked.get().position());
    }
    Optional<HeldSnapshot> held =
        bronze.heldSnapshot(
            this::isOfTable,
            snapshot -> snapshot.history() >= leastHistory && !isAbandoned(snapshot, state));
    if (held.isEmpty()) {
      Optional<SnapshotOpen> empty = ofNoRows(state).filter(open -> open.history() >= leastHistory);
      return empty.isPresent()
          ? found(empty.get().position())
          : take(
              events,
              state,
              Purpose.BOOTSTRAP,
              Math.max(leastHistory, past.history(events)),
              number);
    }
    HeldSnapshot snapshot = held.get();
    if (events != null && !snapshot.isChunked() && !events.isBootstrapped()) {
      Integer open = state.newest().map(SnapshotOpen::number).orElse(null);
      events.completed(
          Purpose.BOOTSTRAP, open, snapshot.stamp(), snapshot.history(), snapshot.rows(), null);
    }
    return found(snapshot.stamp());
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
    new ModeLock(state, null).requireNoChunked("take a full snapshot of");
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
    Lsn minLsn = server.captureInstance(instance.name()).startLsn();
    return bronze
        .heldSnapshot(this::isOfTable, held -> !held.isChunked())
        .filter(held -> minLsn != null && !minLsn.isAfter(held.stamp().lsn().next()))
        .filter(held -> past.isSameAt(held.stamp()));
  }

  private static SnapshotState state(@Nullable SnapshotEvents events) {
    return events == null ? new SnapshotState(List.of(), List.of()) : events.state();
  }

  /** An empty table leaves no rows, and Delta's log drops its commit in time: the facts tell. */
  private Optional<SnapshotOpen> ofNoRows(SnapshotState state) {
    return state
        .newest()
        .filter(open -> !open.isChunked() && open.target().equals(bronze.name()))
        .filter(open -> state.end(open).filter(SnapshotEnd::isOfNoRows).isPresent())
        .filter(open -> bronze.id() != null);
  }

  private static boolean isAbandoned(HeldSnapshot held, SnapshotState state) {
    return held.isChunked() && state.isAbandoned(held.stamp().lsn());
  }

  private Offset found(Offset stamp) {
    LOG.info("{}: {} holds its snapshot at {}", name(), bronze.name(), stamp.lsn());
    return stamp;
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
            new WholeRows(
                WholeRows.Origin.TABLE,
                instance.name(),
                stamp,
                history,
                number,
                () -> {
                  requireOwn(events, open);
                  requireRetained(stamp.lsn());
                  return server.maxLsn().orElse(null);
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
      new ModeLock(events.state(), null).requireOwn(open);
    }
  }

  /** The first change after the snapshot must still be there when the stream starts. */
  private void requireRetained(Lsn stamp) {
    Lsn minLsn = server.captureInstance(instance.name()).startLsn();
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

  private boolean isOfTable(String name) {
    // an earlier instance of the table may have been disabled: the target is of one table only
    return !server.isInstanceOfAnother(name, instance);
  }

  private String name() {
    return instance.name();
  }
}

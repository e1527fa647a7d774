package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.bronze.WholeRows;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.error.ErrorCode;
import io.github.mssqlcdc.error.InvalidRequestException;
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
import io.github.mssqlcdc.sqlserver.StartPosition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot that is a copy from elsewhere, in bronze: the one that is there, or else one appended
 * now, in one commit. The source table isn't read. All that speaks against it is found before
 * anything is written.
 */
public final class Seed {
  private static final Logger LOG = LoggerFactory.getLogger(Seed.class);
  private static final String SEED = "seed";

  private final SqlServer server;
  private final CaptureInstance instance;
  private final BronzeTable bronze;
  private final SourcePast past;
  private final Clock clock;

  /** What may be in the target already. */
  public enum Target {
    /** No snapshot of the table, or this very seed. */
    WITHOUT_SNAPSHOT,
    /** A snapshot of the table that is older than the copy. */
    WITH_OLDER_SNAPSHOT
  }

  /**
   * Where a seed is told of.
   *
   * @param there the facts as they are, null while there are none; asked again whenever they count
   * @param opened makes them if there are none; asked when the seed is in the target
   */
  public record Facts(
      Supplier<@Nullable SnapshotEvents> there, Supplier<@Nullable SnapshotEvents> opened) {}

  /**
   * @param check given a position; throws {@link io.github.mssqlcdc.error.HistoryChangedException}
   *     if the source has another past there
   */
  public Seed(
      SqlServer server,
      CaptureInstance instance,
      BronzeTable bronze,
      Consumer<Offset> check,
      Clock clock) {
    this.past = new SourcePast(bronze, check);
    this.server = server;
    this.instance = instance;
    this.bronze = bronze;
    this.clock = clock;
  }

  /**
   * @return its position
   * @throws InvalidRequestException if the target holds another snapshot, one is open, the point
   *     lies ahead of the server, or a value of the copy doesn't fit its column
   * @throws DataLossException if CDC no longer has the changes after the point
   */
  public Offset run(SeedPoint point, SeedRows rows, Target target, Facts facts) {
    long number = bronze.nextWhole();
    SnapshotEvents events = facts.there().get();
    SnapshotState state = state(events);
    new ModeLock(state).requireNone(SEED, server.minLsn(instance));
    requireNoChunks(state, target);
    int history = past.history(events);
    Optional<StartPosition> at = position(point, target, history);
    if (at.isEmpty()) {
      return found(held(held -> isAtOrBefore(held, point)).orElseThrow(), facts);
    }
    Lsn lsn = at.get().after();
    Optional<HeldSnapshot> same =
        held(held -> held.history() == history && held.stamp().lsn().equals(lsn));
    if (same.isPresent()) {
      return found(same.get(), facts);
    }
    held(held -> true).ifPresent(held -> requireNewer(held, lsn, history, target));
    if (target == Target.WITH_OLDER_SNAPSHOT) {
      bronze
          .heldSnapshot(name -> server.isInstanceOf(name, instance), HeldSnapshot::isChunked)
          .ifPresent(held -> requireNewer(held, lsn, history, target));
    }
    if (bronze.isReadBy(rows.copy())) {
      throw invalid(
          "Cannot seed '" + bronze.name() + "' from itself: give a copy that is another table");
    }
    return append(point, at.get(), rows, history, number, facts);
  }

  private static SnapshotState state(@Nullable SnapshotEvents events) {
    return events == null ? SnapshotState.UNKNOWN : events.state();
  }

  private Optional<HeldSnapshot> held(Predicate<HeldSnapshot> counts) {
    return bronze.heldSnapshot(
        name -> server.isInstanceOf(name, instance),
        held -> !held.isChunked() && counts.test(held));
  }

  /** The stream of a complete one would go on from there, not from the seed. */
  private void requireNoChunks(SnapshotState state, Target target) {
    Optional<Offset> own = state.chunked().map(SnapshotOpen::position);
    if (target == Target.WITH_OLDER_SNAPSHOT) {
      own.ifPresent(
          chunked -> {
            throw new InvalidRequestException(
                ErrorCode.INVALID_TARGET,
                "Cannot seed '"
                    + bronze.name()
                    + "': the stream of this appId goes on from its chunked snapshot at "
                    + chunked.lsn()
                    + ". Seed with a new appId, and start the stream with that and a new"
                    + " checkpoint");
          });
      return;
    }
    bronze
        .heldSnapshot(
            name -> server.isInstanceOf(name, instance),
            held -> held.isChunked() && !state.isAbandoned(held.stamp().lsn()))
        .map(HeldSnapshot::stamp)
        .or(() -> own)
        .ifPresent(
            held -> {
              throw new InvalidRequestException(
                  ErrorCode.INVALID_TARGET,
                  "Cannot seed '"
                      + bronze.name()
                      + "': it holds a chunked snapshot of the table, at "
                      + held.lsn()
                      + ". Seed a new target, with a new appId and checkpoint; or, to replace it"
                      + " after a data loss, seed a newer copy with reseed(true) and a new appId");
            });
  }

  /** Empty if cleanup has passed the point, and the target holds a snapshot from before it. */
  private Optional<StartPosition> position(SeedPoint point, Target target, int history) {
    if (point instanceof SeedPoint.Position position) {
      return Optional.of(known(position.lsn(), history));
    }
    SeedPoint.Time time = (SeedPoint.Time) point;
    // the map may have got entries since that change what the time stands for
    Optional<Lsn> before =
        bronze
            .seededAt(time.asOf())
            .filter(lsn -> target == Target.WITHOUT_SNAPSHOT)
            .filter(
                lsn ->
                    held(held -> held.history() == history && held.stamp().lsn().equals(lsn))
                        .isPresent());
    if (before.isPresent()) {
      return Optional.of(new StartPosition(before.get(), null));
    }
    try {
      return Optional.of(server.copyAt(instance, time.asOf(), time.margin()));
    } catch (DataLossException e) {
      // a rerun of a seed, not another one
      if (target == Target.WITHOUT_SNAPSHOT
          && held(held -> isAtOrBefore(held, point)).isPresent()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static boolean isAtOrBefore(HeldSnapshot held, SeedPoint point) {
    LocalDateTime commitTs = held.stamp().commitTs();
    return point instanceof SeedPoint.Time time
        && (commitTs == null || !commitTs.toInstant(ZoneOffset.UTC).isAfter(time.asOf()));
  }

  private StartPosition known(Lsn lsn, int history) {
    if (held(held -> held.history() == history && held.stamp().lsn().equals(lsn)).isPresent()) {
      return new StartPosition(lsn, null);
    }
    SnapshotStamp now = server.snapshotStamp(instance);
    if (lsn.isAfter(now.lsn())) {
      throw invalid(
          "Invalid asOf "
              + lsn
              + ": the server's max LSN is "
              + now.lsn()
              + "; give an LSN that was recorded on this server before the copy was begun");
    }
    if (now.minLsn().isAfter(lsn.next())) {
      throw new DataLossException(
          "Cannot seed from a copy as of "
              + lsn
              + ": CDC has the changes of "
              + instance.description()
              + " from min LSN "
              + now.minLsn()
              + " on, and changes between the copy and there may be missing: the copy is older than"
              + " the retention of CDC, or than the capture instance. Nothing was written. Seed a"
              + " newer copy");
    }
    return new StartPosition(lsn, server.mapEntry(lsn).orElse(null));
  }

  private void requireNewer(HeldSnapshot held, Lsn lsn, int history, Target target) {
    String start =
        "Cannot seed '"
            + bronze.name()
            + "' at "
            + lsn
            + ": it already holds a snapshot of the table, at "
            + held.stamp().lsn();
    if (target == Target.WITHOUT_SNAPSHOT) {
      throw invalid(
          start
              + ". Start the stream with bootstrap, which finds that one; or, to replace it after a"
              + " data loss, seed a newer copy with reseed(true); or seed a new target");
    }
    if (history == held.history() && !lsn.isAfter(held.stamp().lsn())) {
      throw invalid(start + ", which is newer. Seed a copy that was begun after it");
    }
  }

  private Offset append(
      SeedPoint point, StartPosition at, SeedRows rows, int history, long number, Facts facts) {
    LocalDateTime startedAt = LocalDateTime.now(clock);
    Offset stamp =
        new SnapshotTimes(server, bronze, facts.there().get())
            .of(new SnapshotStamp(at.after(), at.entry(), null, at.after()));
    LOG.info("{}: seeding {} at {} from a copy", instance.name(), bronze.name(), stamp.lsn());
    if (!rows.missing().isEmpty()) {
      LOG.warn(
          "{}: the copy lacks columns {}; they are unknown in {} until a change brings them",
          instance.name(),
          rows.missing(),
          bronze.name());
    }
    Supplier<@Nullable Offset> proof =
        () -> {
          requireRetained(stamp.lsn());
          new ModeLock(state(facts.there().get())).requireNone(SEED, server.minLsn(instance));
          return SnapshotTimes.seen(server);
        };
    Instant asOf = point instanceof SeedPoint.Time time ? time.asOf() : null;
    long count =
        appended(rows, WholeRows.ofCopy(instance.name(), asOf, stamp, history, number, proof));
    LOG.info(
        "{}: seed at {} into {}: {} rows in {} s",
        instance.name(),
        stamp.lsn(),
        bronze.name(),
        count,
        Duration.between(startedAt, LocalDateTime.now(clock)).toMillis() / 1e3);
    if (count == 0) {
      LOG.warn("{}: the copy that {} was seeded from is empty", instance.name(), bronze.name());
    }
    SnapshotEvents events = facts.opened().get();
    if (events != null) {
      events.completed(Purpose.BOOTSTRAP, null, stamp, history, count, startedAt);
    }
    return stamp;
  }

  private long appended(SeedRows rows, WholeRows seed) {
    try {
      if (!bronze.exists()) {
        // the table is made before its rows are read: a copy that would be refused makes none
        rows.readCasts();
        Offset unused = seed.proof().get();
      }
      return bronze.append(rows.stamped(instance.name(), seed.stamp()), seed);
    } catch (RuntimeException e) {
      String misfit = rows.misfit(e);
      if (misfit == null) {
        throw e;
      }
      throw new InvalidRequestException(
          ErrorCode.INVALID_VALUE,
          misfit + ". No row was written. Correct the copy, or leave the column out",
          e);
    }
  }

  /** The first change after the copy must still be there when the stream starts. */
  private void requireRetained(Lsn stamp) {
    Lsn minLsn = server.minLsn(instance);
    if (minLsn != null && minLsn.isAfter(stamp.next())) {
      throw new DataLossException(
          "Cannot seed '"
              + bronze.name()
              + "' at "
              + stamp
              + ": CDC cleanup went on to min LSN "
              + minLsn
              + " while the copy was read, so changes after it are lost. No row was written. Seed"
              + " a newer copy, with a longer retention (sys.sp_cdc_change_job)");
    }
  }

  private Offset found(HeldSnapshot held, Facts facts) {
    SnapshotEvents events = facts.opened().get();
    if (events != null && !events.isBootstrapped()) {
      events.completed(Purpose.BOOTSTRAP, null, held.stamp(), held.history(), held.rows(), null);
    }
    LOG.info("{}: {} holds its seed at {}", instance.name(), bronze.name(), held.stamp().lsn());
    return held.stamp();
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(ErrorCode.INVALID_OPTION, message);
  }
}

package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.bronze.HeldSnapshot;
import io.github.mssqlcdc.error.DataLossException;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.sqlserver.CaptureInstance;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.stream.Stream;
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
  private final Clock clock;

  /** Reads the current rows of the source table as {@code mssql_cdc_snapshot} gives them. */
  public interface SnapshotRows {
    /**
     * @param stamp what the rows are stamped with
     * @param maxLsn max LSN as read with the stamp; null when the map was empty
     */
    Dataset<Row> read(Offset stamp, @Nullable Lsn maxLsn);
  }

  public WholeSnapshot(
      SqlServer server,
      CaptureInstance instance,
      BronzeTable bronze,
      SnapshotRows rows,
      Clock clock) {
    this.server = server;
    this.instance = instance;
    this.bronze = bronze;
    this.rows = rows;
    this.clock = clock;
  }

  /**
   * Finds the snapshot, or takes it.
   *
   * @param events where it is told of; null: nowhere
   * @return its position
   * @throws DataLossException if CDC cleanup went past the snapshot while it was read
   */
  public Offset run(@Nullable SnapshotEvents events) {
    Optional<HeldSnapshot> held = bronze.wholeSnapshot(this::isOfTable);
    if (held.isEmpty()) {
      return take(events);
    }
    HeldSnapshot found = held.get();
    if (events != null && !events.isBootstrapped()) {
      events.bootstrapped(found.stamp(), found.history(), found.rows(), null);
    }
    LOG.info("{}: {} holds its snapshot at {}", name(), bronze.name(), found.stamp().lsn());
    return found.stamp();
  }

  private Offset take(@Nullable SnapshotEvents events) {
    LocalDateTime startedAt = LocalDateTime.now(clock);
    int history = Math.max(bronze.highestHistory(), events == null ? 0 : events.highestHistory());
    SnapshotStamp taken = server.snapshotStamp(instance);
    Offset stamp = offset(taken, events);
    if (events != null) {
      events.open(stamp, history);
    }
    LOG.info("{}: taking a snapshot at {} into {}", name(), stamp.lsn(), bronze.name());
    long count =
        bronze.appendSnapshot(
            rows.read(stamp, taken.maxLsn()),
            instance.name(),
            stamp,
            history,
            () -> requireRetained(stamp.lsn()));
    LOG.info(
        "{}: snapshot at {} into {}: {} rows in {} s",
        name(),
        stamp.lsn(),
        bronze.name(),
        count,
        Duration.between(startedAt, LocalDateTime.now(clock)).toMillis() / 1e3);
    if (events != null) {
      events.bootstrapped(stamp, history, count, startedAt);
    }
    return stamp;
  }

  /**
   * The server's clock may have been set back since the target's last batch; what is written never
   * goes back. Batches without rows stand in the facts only.
   */
  private Offset offset(SnapshotStamp taken, @Nullable SnapshotEvents events) {
    MapEntry entry = taken.entry();
    if (entry == null) {
      return Offset.of(taken.lsn());
    }
    LocalDateTime own = server.commitTs(entry);
    LocalDateTime commitTs =
        Stream.concat(
                bronze.lastEndCommitTs().stream(),
                events == null ? Stream.empty() : events.lastEndCommitTs().stream())
            .filter(own::isBefore)
            .max(LocalDateTime::compareTo)
            .orElse(own);
    return new Offset(taken.lsn(), commitTs, entry.at());
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
              + " while it was read, so changes after it are lost. Nothing was written. Take it"
              + " again with a longer retention (sys.sp_cdc_change_job), or with more partitions");
    }
  }

  private boolean isOfTable(String name) {
    return server.isInstanceOf(name, instance);
  }

  private String name() {
    return instance.name();
  }
}

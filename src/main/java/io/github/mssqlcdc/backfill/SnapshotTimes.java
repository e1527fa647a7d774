package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
import io.github.mssqlcdc.lsn.Lsn;
import io.github.mssqlcdc.offset.Offset;
import io.github.mssqlcdc.snapshot.SnapshotEvents;
import io.github.mssqlcdc.sqlserver.MapEntry;
import io.github.mssqlcdc.sqlserver.SqlServer;
import io.github.mssqlcdc.sqlserver.SqlServer.SnapshotStamp;
import java.time.LocalDateTime;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives the LSN of a new snapshot its times. The server's clock may have been set back since the
 * target's last batch; what is written never goes back. Batches without rows stand in the facts
 * only.
 *
 * @param events null: there are no facts
 */
record SnapshotTimes(SqlServer server, BronzeTable bronze, @Nullable SnapshotEvents events) {

  /**
   * How far a read that ends now may have seen, with the time by which a restore shows; null when
   * the LSN map is empty.
   */
  static @Nullable Offset seen(SqlServer server) {
    return server.maxLsn().map(max -> new Offset(max, null, at(server, max))).orElse(null);
  }

  /** The map's own time of an LSN; null if it has no such entry. */
  static @Nullable LocalDateTime at(SqlServer server, Lsn lsn) {
    return server.mapEntry(lsn).map(MapEntry::at).orElse(null);
  }

  Offset of(SnapshotStamp taken) {
    MapEntry entry = taken.entry();
    if (entry == null) {
      return Offset.of(taken.lsn());
    }
    LocalDateTime own = server.commitTs(entry);
    LocalDateTime commitTs =
        Stream.concat(
                bronze.batches().lastEndCommitTs().stream(),
                events == null ? Stream.empty() : events.lastEndCommitTs().stream())
            .filter(own::isBefore)
            .max(LocalDateTime::compareTo)
            .orElse(own);
    return new Offset(taken.lsn(), commitTs, entry.at());
  }
}

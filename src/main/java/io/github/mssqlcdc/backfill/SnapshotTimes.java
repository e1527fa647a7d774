package io.github.mssqlcdc.backfill;

import io.github.mssqlcdc.bronze.BronzeTable;
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

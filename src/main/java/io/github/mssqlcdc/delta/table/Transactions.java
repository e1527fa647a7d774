package io.github.mssqlcdc.delta.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.spark.sql.delta.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The highest transaction version of application ids in one table. Delta's own look-up rebuilds the
 * state of the whole table in a Spark job, for each new version; that is done once per id here,
 * from then on only the commits since are read. Not thread-safe.
 */
final class Transactions {
  private static final long NONE = -1;

  private final CommitLog log;
  private final Map<String, Known> known = new HashMap<>();

  Transactions(CommitLog log) {
    this.log = log;
  }

  OptionalLong latest(Snapshot table, String appId) {
    Known now = follow(known.get(appId), table, appId);
    if (now == null) {
      now = new Known(table.metadata().id(), table.version(), inState(table, appId), null);
    }
    known.put(appId, now);
    return now.latest == NONE ? OptionalLong.empty() : OptionalLong.of(now.latest);
  }

  /** The commit that carries this id, if it was met on the way. */
  Optional<Commit> carrier(TransactionId id) {
    return known.values().stream()
        .flatMap(found -> Stream.ofNullable(found.carrier))
        .filter(commit -> commit.carries(id))
        .findFirst();
  }

  /** What was known, brought up to this version of the table; null if that can't be done. */
  private @Nullable Known follow(@Nullable Known before, Snapshot table, String appId) {
    if (before == null
        || before.tableVersion > table.version()
        || !before.tableId.equals(table.metadata().id())) {
      return null;
    }
    long latest = before.latest;
    Commit carrier = before.carrier;
    for (long version = before.tableVersion + 1; version <= table.version(); version++) {
      Commit commit = log.read(version).orElse(null);
      if (commit == null) {
        return null;
      }
      for (TransactionId id : commit.transactions()) {
        if (id.appId().equals(appId) && id.version() > latest) {
          latest = id.version();
          carrier = commit;
        }
      }
    }
    return new Known(before.tableId, table.version(), latest, carrier);
  }

  private static long inState(Snapshot table, String appId) {
    return table.transactions().get(appId).isDefined()
        ? (Long) table.transactions().apply(appId)
        : NONE;
  }

  /**
   * @param carrier the commit with the latest version; null if it wasn't met
   */
  private record Known(String tableId, long tableVersion, long latest, @Nullable Commit carrier) {}
}
